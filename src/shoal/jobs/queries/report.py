"""An owner's report: what the ledger, the declaration and an audit tell. It reads no row."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.jobs.queries.ask import FILE
from shoal.jobs.queries.audit import audit_query
from shoal.jobs.queries.owner import ledger_at
from shoal.jobs.queries.project import project_of
from shoal.jobs.queries.question_requests import AuditQuery
from shoal.jobs.queries.requests import OwnerReport
from shoal.queries.budget_balance import budget_state
from shoal.queries.declaration.serialisation import to_plain
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.mechanisms.gaussian import Gaussian
from shoal.queries.mechanisms.laplace import Laplace
from shoal.queries.mechanisms.rounded_gaussian import RoundedGaussian
from shoal.queries.owner_dossier import Asked, OwnerDossier, Tried
from shoal.version import __version__

SHOWN = 40  # of the questions, the dearest
ENTRIES = 1_000_000  # of the ledger that are looked at
# Which noise a way of accounting uses for numbers; else laplace.
MECHANISMS = {
    "zcdp": Gaussian.name,
    "zcdp-listed": Gaussian.name,
    "pld": RoundedGaussian.name,
    "pld-listed": RoundedGaussian.name,
}
SAMPLES = 20_000  # of a short audit; it ends sooner when its time is up


def report_query(job: OwnerReport) -> OwnerDossier:
    """What there is to tell; `report` words it."""
    declared: dict[str, dict[str, Any]] = {}
    tried = tuple(_tried(place) for place in job.finding)
    if job.config is not None:
        project = project_of(job.config)
        declared = {one.name: _tables(to_plain(one)) for one in project.datasets}
    with ledger_at(job.config, job.ledger) as ledger:
        checked = ledger.check()
        with ledger.place.reading() as hand:
            pairs = hand.rows("SELECT dataset, analyst FROM accounts ORDER BY dataset, analyst")
        chosen = [(name, who or None) for name, who in pairs if job.dataset in (None, name)]
        if not chosen:
            raise BadParameter(
                f"the ledger has no data set {job.dataset or 'yet'}; start the service, or ask first"
            )
        budgets = tuple(budget_state(ledger, *whose) for whose in chosen)
        asked = _asked(ledger, job.dataset)
    names = sorted({MECHANISMS.get(one.accounting, Laplace.name) for one in budgets})
    audits = tuple(
        audit_query(
            AuditQuery(subject=name, epsilon=1, samples=SAMPLES, time_limit=job.time_limit / len(names))
        )
        for name in names
    )
    title = job.title or job.dataset or ", ".join(sorted({one.dataset for one in budgets}))
    return OwnerDossier(
        title,
        job.made or datetime.now(UTC).date().isoformat(),
        __version__,
        checked,
        budgets,
        asked[:SHOWN],
        max(0, len(asked) - SHOWN),
        {name: told for name, told in declared.items() if job.dataset in (None, name)},
        audits,
        tried,
    )


def inputs(job: OwnerReport) -> list[str | Path | None]:
    """What a report must not be written over."""
    return [job.config, job.ledger or FILE, *job.finding]


def _tried(place: str | Path) -> Tried:
    """What an attack got, from the document that it printed; whom it hit is left behind."""
    try:
        found = json.loads(Path(place).read_bytes())
        cured = found["cured"]
        return Tried(
            str(found["attack"]),
            str(found["details"]["against"]),
            int(found["targets"]),
            int(found["hits"]),
            (float(found["interval"][0]), float(found["interval"][1])),
            float(found["baseline"]),
            "not tried" if cured is None else f"{cured['hits']} of {cured['targets']}",
        )
    except OSError as error:
        raise BadParameter(f"'{place}' cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise BadParameter(
            f"'{place}' is not what `shoal query attack NAME … --json` prints; write that into a file"
        ) from None


def _asked(ledger: Ledger, dataset: str | None) -> tuple[Asked, ...]:
    """The questions by who asked what, the dearest first."""
    found = defaultdict(list)
    for entry in ledger.entries(dataset, None, ENTRIES):
        if entry.kind == "reserve":
            found[entry.dataset, entry.analyst, entry.question].append(entry)
    asked = [
        Asked(
            *key,
            len(several),
            float(sum(one.cost.exact[0] for one in several)),
            max(one.time for one in several),
        )
        for key, several in found.items()
    ]
    return tuple(sorted(asked, key=lambda one: (-one.loss, one.last, one.question)))


def _tables(plain: Mapping[str, Any]) -> dict[str, Any]:
    """What is declared of the tables of a data set, without the places of their files."""
    tables = plain["tables"]
    return {
        name: {word: value for word, value in told.items() if word != "file"} for name, told in tables.items()
    }
