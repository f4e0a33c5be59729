"""A question's data, budget and ledger as the `[query]` of a project file: what flags declare, kept.

The project pays from the ledger that the question pays from, so that nobody gets a second budget by copying.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.core.errors import BadParameter
from shoal.engines.address import without_password
from shoal.jobs.config import toml_value
from shoal.jobs.queries.ask import BudgetLedger, remote
from shoal.jobs.queries.declare import NAME, Given, declare, epsilon_from
from shoal.jobs.queries.durable_ledger import open_durable_ledger
from shoal.jobs.queries.question_requests import AskQuery
from shoal.queries.declaration.serialisation import to_plain
from shoal.queries.ledger.open_ledger import passing_ledger

FOLDER = "questions-database"


def project_text(job: AskQuery, folder: Path, called: str) -> str:
    """The project file in a folder, with the command that asks the same question of it at its head."""
    if job.service is not None or job.config is not None:
        where = "the service" if job.service is not None else f"'{job.config}'"
        raise BadParameter(f"the project file of this question is that of {where}; copy the command line")
    if job.ledger is None or (job.budget is None and not _is_there(job.ledger)):
        raise BadParameter("a project file keeps a budget in a ledger; give both, or copy the command line")
    given = Given(**job.given)
    plain: Any = to_plain(declare(given).dataset(**_books(job, given)))
    tables, budget = plain.pop("tables"), {word: value for word, value in plain.items() if value}
    place = without_password(str(job.ledger)) if remote(job.ledger) else _from(folder, job.ledger)
    lines = [*_section("query", {"folder": FOLDER, "ledger": place})]
    lines += _section(f"query.datasets.{NAME}", {word: budget[word] for word in budget if word != "name"})
    for name, table in tables.items():
        columns, home = table.pop("columns"), f"query.datasets.{NAME}.tables.{toml_value(name)}"
        source = given.data.get(name, given.public.get(name))
        if not isinstance(source, str | Path):
            raise BadParameter(f"'{name}' is in memory only; write it to a file and name that")
        lines += _section(home, {"file": _from(folder, source), **table})
        lines += _section(f"{home}.columns", columns)
    words = ["shoal", "query", "ask", job.sql or "", "--epsilon", str(job.epsilon), "--config", called]
    return "\n".join([f"# {shlex.join([*words, *(['--estimate'] if job.estimate else [])])}", *lines]) + "\n"


def _is_there(ledger: str | Path) -> bool:
    return remote(ledger) or Path(ledger).exists()


def _books(job: AskQuery, given: Given) -> dict[str, Any]:
    """The budget and how it is counted: as the ledger has them, or as it will begin."""
    if job.ledger is not None and _is_there(job.ledger):
        found = open_durable_ledger(given.accounting, job.budget, None, job.ledger)
    else:
        budget = epsilon_from(job.budget, "--budget")
        found = BudgetLedger.new(given.accounting, budget, None, passing_ledger())
    found.ledger.close()
    return {"budget": found.budget, "accounting": found.accounting}


def _section(name: str, settings: Mapping[str, Any]) -> list[str]:
    return ["", f"[{name}]", *(f"{_key(word)} = {toml_value(value)}" for word, value in settings.items())]


def _key(word: str) -> str:
    return word if word.isidentifier() and word.isascii() else toml_value(word)


def _from(folder: Path, path: str | Path) -> str:
    address = str(path)
    return address if "://" in address else os.path.relpath(Path(path).resolve(), folder.resolve())
