"""What the console for questions asks of a working process. Nothing here knows the browser."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from shoal.core.chart_style import svg_of
from shoal.core.errors import BadParameter

if TYPE_CHECKING:
    from shoal.faces.studio.questions import Source

LATEST = 50  # lines of the ledger that are looked through


def check(source: Source) -> None:
    """Refuse what was declared about a table where nobody could ask with it."""
    from shoal.jobs.queries.declare import Given, declare, figure

    figure(source.budget, "the budget ε")
    declare(Given(**source.given))


def ask(source: Source, sql: str, epsilon: str, estimate: bool) -> dict[str, Any]:
    """An answer or an estimate as tables of texts, with remarks and, where there is one, a picture."""
    from shoal.jobs.queries.ask import ask_query

    replied = ask_query(source.question(sql, epsilon, estimate))
    outcome: Any = replied.outcome
    told: dict[str, Any] = {
        "tables": outcome.to_tables(),
        "notes": list(dict.fromkeys(replied.notes)),
        "picture": "",
    }
    if not estimate:
        with suppress(BadParameter):  # an answer without noisy numbers has no picture
            told["picture"] = svg_of(outcome.to_chart())
    return told


def copies(source: Source, sql: str, epsilon: str) -> list[dict[str, str]]:
    """The question as a command line, as Python and as a project file."""
    from shoal.jobs.copy_as import copies_of

    folder = "." if source.ledger is None else source.ledger.parent
    return [asdict(copy) for copy in copies_of(source.question(sql, epsilon), folder)]


def choose_epsilon(source: Source, sql: str, within: float) -> dict[str, Any]:
    """The ε that an error needs, and what it means in words."""
    from shoal.jobs import run

    found: Any = run(source.epsilon_for(sql, within))
    return {"epsilon": f"{float(found.chosen.epsilon):g}", "words": list(found.words.values())}


def books(source: Source) -> dict[str, Any]:
    """What may be spent and is spent, and the latest questions; nothing where no ledger has begun."""
    from shoal.jobs.queries import owner

    if source.service is not None:
        at = (source.service, source.token or "", source.dataset)
        budgets, log = owner.budget_at(*at), owner.log_at(*at, LATEST)
    elif source.ledger is None or not source.ledger.exists():
        return {}
    else:
        with owner.ledger_at(None, source.ledger) as ledger:
            budgets, log = owner.budgets(ledger), owner.log(ledger, None, None, LATEST)
    asked = [
        [str(entry["time"])[:19].replace("T", " "), str(entry["question"]), f"{entry['loss']}"]
        for entry in log.items
        if entry["kind"] == "reserve"
    ]
    return {"budget": dict(budgets.items[0]), "asked": asked}


def datasets(service: str, token: str) -> list[dict[str, Any]]:
    """What an analyst may ask about at a service: names of data sets, with those of tables and columns."""
    from shoal.jobs.queries.ask import connect

    return [
        {
            "name": str(one["name"]),
            "names": list(
                dict.fromkeys(
                    word
                    for table in one["tables"]
                    for word in (table["name"], *(column["name"] for column in table["columns"]))
                )
            ),
        }
        for one in connect(service, token).datasets()
    ]
