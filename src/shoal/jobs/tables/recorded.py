"""What the record beside a release says that the released file itself contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from shoal.core.outcome import Promise
from shoal.jobs.parsing import listed
from shoal.jobs.tables.steps import kept_on_record
from shoal.tables.manifest import Manifest, strangers_to
from shoal.tables.seen.values import texts
from shoal.tables.table import Table


def contradicted(manifest: Manifest, table: Table) -> Iterator[Promise]:
    """A broken promise for everything that cannot be true of both the record and the file.

    A record is not signed: whoever changes both so that they agree is not found out. What is found out is a
    column that came in later, rows that were added or taken away, and figures that do not add up.
    """
    unknown = [column for column in table.columns if column not in _known(manifest)]
    if manifest.insensitive is not None and unknown:
        yield _broken("known-columns", f"{listed(unknown)} is in the file, and the record does not know it")
    if manifest.released != table.rows:
        yield _broken("known-rows", f"{table.rows} rows are there, and the record says {manifest.released}")
    elif manifest.rows is not None and manifest.rows != manifest.released + manifest.suppressed:
        yield _broken(
            "known-rows",
            f"{manifest.released} released and {manifest.suppressed} left out are not {manifest.rows}",
        )
    for column, domain in manifest.domains.items():
        if strangers := strangers_to(domain, table):
            yield _broken("known-values", f"{column} has {strangers[0]!r}, which the original did not have")
        elif not domain.parts and column in table.columns and not manifest.guarantees:
            before = dict(zip(domain.values, domain.totals.tolist(), strict=True))
            after = texts(table.frame[column]).rename("value").value_counts(name="rows")
            if any(rows > before[value] for value, rows in after.iter_rows()):
                yield _broken("known-values", f"{column} has a value more often than the original had it")
            elif manifest.rows is not None and sum(before.values()) != manifest.rows:
                yield _broken(
                    "known-values", f"the distribution of {column} is not one of {manifest.rows} rows"
                )


def _known(manifest: Manifest) -> set[str]:
    """The columns that a release may have by its record."""
    kept = manifest.decisions.kept if manifest.decisions else ()
    harmless = manifest.insensitive or ()
    return {*manifest.quasi, *manifest.sensitive, *harmless, *kept, *kept_on_record(manifest.steps)}


def _broken(name: str, what: str) -> Promise:
    return Promise(name, None, False, f"{name}({what})")
