"""Carry out `verify`: whether a release keeps its promises, from its files alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from shoal import catalog, verbs
from shoal.core.errors import BadParameter
from shoal.core.outcome import Promise, Verdict
from shoal.core.part_syntax import join_columns
from shoal.engines.address import address_of
from shoal.engines.atomic_write import has_changed
from shoal.jobs.tables.requests import (
    VerifyTable,
)
from shoal.jobs.tables.source import (
    check_fits,
    manifest_of,
    models_of,
    population_seen,
    read_table,
    with_roles,
)
from shoal.tables.hierarchies import of_released
from shoal.tables.manifest import Manifest, add_unknown_value, strangers_to
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain, compared_columns, count_values, joint_domains
from shoal.tables.release import TableModel
from shoal.tables.table import Table
from shoal.verbs import split_uncheckable


def verify_table(job: VerifyTable) -> Verdict:
    """Whether a release keeps its promises, from its files alone."""
    manifest = manifest_of(job)
    models = models_of(job.model, job.k)
    notes = []
    if manifest is None:
        notes.append("no manifest beside the file: checked by the flags, against the released table itself")
    if not models and manifest is not None:
        models = [catalog.make("model", text) for text in manifest.models]
    if not models:
        if address_of(job.data) is None:
            read_table(job)  # that there is no such file is the first thing to say
        raise BadParameter('no promise to verify; give --model "k-anonymity(k=5)" or keep the manifest')
    table = population_seen(_released(job, manifest, models), job, manifest)
    for model in models:
        check_fits(model, table)
    there = {*table.columns, *(table.held.columns if table.held is not None else ())}
    vouched = (
        manifest is not None and bool(manifest.guarantees) and not has_changed(job.data, manifest.output)
    )
    models, unknown_to_all, why = split_uncheckable(
        models,
        lambda _: vouched,
        "rows",
        lambda model: next((column for column in model.held if column not in there), ""),
    )
    notes += why
    domains = dict(manifest.domains) if manifest else {}
    for column, spec in job.hierarchy.items():
        if column in table.sensitive and column not in (*domains, *table.elsewhere):
            domains[column] = Domain.of(
                table.frame, column, of_released(spec, table.frame[column], column), table.weights
            )
    unknown = [column for column in compared_columns(models, table.sensitive) if column not in domains]
    if manifest is not None and unknown:
        notes.append(f"the manifest has no distribution of {join_columns(unknown)}: the released one is used")
    domains = {column: add_unknown_value(domain, table) for column, domain in domains.items()}
    domains = {**joint_domains(table, models), **domains}
    seen = replace(Classes.of(table, domains), guarantees=manifest.guarantees if manifest else {})
    verdict = verbs.verify(seen, models, notes)
    verdict = replace(verdict, promises=(*verdict.promises, *unknown_to_all))
    return _with_record(verdict, table, job, manifest)


def _released(job: VerifyTable, manifest: Manifest | None, models: Sequence[TableModel]) -> Table:
    """The release with its roles; of one in an engine, grouped over there, the columns that are counted."""
    if address_of(job.data) is None:
        return with_roles(read_table(job), job, manifest)
    from shoal.jobs.tables.engine_source import counted_columns, read_counted, refuse_in_engine

    refuse_in_engine(job, population="export both tables")
    domains = () if manifest is None else manifest.domains
    return read_counted(
        job.data,
        lambda sample: with_roles(sample, job, manifest),
        lambda sensitive: [*counted_columns(models, sensitive), *domains],
    )


def _with_record(verdict: Verdict, table: Table, job: VerifyTable, manifest: Manifest | None) -> Verdict:
    """The verdict with what the record adds: what came back into the file, and whether it was changed."""
    promises, notes = list(verdict.promises), list(verdict.notes)
    removed = (*job.identifier, *(manifest.identifier if manifest else ()))
    pseudonyms = columns_kept_by_steps(manifest.steps) if manifest else set()
    back = [name for name in dict.fromkeys(removed) if name in table.columns and name not in pseudonyms]
    if back:
        promises.append(
            Promise("no-identifiers", None, False, f"no-identifiers({join_columns(back)} is there)")
        )
    if manifest is not None:
        promises += contradictions(manifest, table)
    if manifest is not None and has_changed(job.data, manifest.output):
        notes.append("the file is not the one the manifest was written for: its fingerprint differs")
    return Verdict(tuple(promises), tuple(notes))


def contradictions(manifest: Manifest, table: Table) -> Iterator[Promise]:
    """A broken promise for everything that cannot be true of both the record and the file.

    A record is not signed: whoever changes both so that they agree is not found out. What is found out is a
    column that came in later, rows that were added or taken away, and figures that do not add up.
    """
    unknown = [column for column in table.columns if column not in _known(manifest)]
    if manifest.insensitive is not None and unknown:
        yield _broken(
            "known-columns", f"{join_columns(unknown)} is in the file, and the record does not know it"
        )
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
            after = count_values(table.frame[column], table.weights)
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
    return {*manifest.quasi, *manifest.sensitive, *harmless, *kept, *columns_kept_by_steps(manifest.steps)}


def _broken(name: str, what: str) -> Promise:
    return Promise(name, None, False, f"{name}({what})")


def columns_kept_by_steps(spellings: Sequence[str]) -> set[str]:
    """Columns that a step keeps though they would be removed as identifiers, by the record of a release.

    Steps may be those of a package that is not here.
    """
    kept: set[str] = set()
    for text in spellings:
        with suppress(BadParameter):
            kept |= set(catalog.make("step", text).keeps)
    return kept
