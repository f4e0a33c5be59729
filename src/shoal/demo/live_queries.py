"""The second act of the demo: the same hospital as a live database, an analyst with a budget, and its end.

The answers are noisy and differ from run to run, so nothing of them goes into a file. The truth stands beside
them, which only the demo can know.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

from shoal.core.errors import BadParameter, ShoalError, Spent
from shoal.core.outcome import Json, Rows, Tables
from shoal.demo.hospital import DIAGNOSES, OCCUPATIONS
from shoal.engines.files import write_text
from shoal.jobs.queries.project import Project, project_of
from shoal.queries.client import connect
from shoal.queries.results import Answer, value_text
from shoal.queries.service.run import server
from shoal.queries.service.service import Service

Ask = Callable[[str, str], Answer]
Truth = Callable[[pl.DataFrame], Mapping[Any, float]]

ANALYST, GRANTED = "ada", "2"
DATABASE = """# A live database of the same patients: shoal query serve --config {place}
# All of this is public and comes from common knowledge, nothing of it from the rows. What is not named here,
# such as the patients' names, cannot be asked about.

[query]
folder = "database"                 # made at the first start: rows, ledger, audit log

[query.datasets.hospital]
about = "Patients of one hospital, made up"
unit = "patient_id"                 # whose row it is: nobody learns much about any one of them
epsilon = 10                        # what all answers together may tell
delta = 1e-6
accounting = "approximate"
each = {{ epsilon = 2, delta = 1e-6 }}  # what one analyst may ask for

[query.datasets.hospital.tables.patients]
file = "patients.csv"

[query.datasets.hospital.tables.patients.columns]
birth_date = "date"
zip = "text"                        # no keys: groups are found in the data, and small ones stay untold
sex = {{ kind = "text", keys = ["F", "M"], missing = false }}
income = "number 0..500000"         # what lies outside counts as the bound
diagnosis = {{ kind = "text", missing = false, keys = [
{diagnoses}
] }}
occupation = {{ kind = "text", missing = false, keys = [
{occupations}
] }}
"""
PATIENCE = 20.0  # seconds until a server that does not start is given up


@dataclass(frozen=True)
class Question:
    """What is asked, what it may cost, and how the demo finds out the truth."""

    words: str
    sql: str
    epsilon: str
    truth: Truth


QUESTIONS = (
    Question(
        "How many patients have HIV?",
        "SELECT COUNT(*) AS patients FROM patients WHERE diagnosis = 'HIV'",
        "0.5",
        lambda whole: {None: whole.filter(pl.col("diagnosis") == "HIV").height},
    ),
    Question(
        "What do women and men earn?",
        "SELECT sex, AVG(income) AS income FROM patients GROUP BY sex",
        "0.5",
        lambda whole: _by(whole, "sex", pl.col("income").cast(pl.Float64).mean()),
    ),
    Question(
        "Where do most come from?",
        "SELECT zip, COUNT(*) AS patients FROM patients GROUP BY zip ORDER BY patients DESC LIMIT 3",
        "0.5",
        lambda whole: _by(whole, "zip", pl.len()),
    ),
)
ONE_TOO_MANY = Question(
    "And the median income?", "SELECT MEDIAN(income) AS income FROM patients", "1", lambda _: {}
)


@dataclass(frozen=True)
class Asked:
    """A question, its answer and the truth."""

    question: Question
    answer: Answer
    truth: Mapping[Any, float]

    def to_json(self) -> dict[str, Json]:
        told = self.answer.to_json()
        return {
            "question": self.question.words,
            "sql": self.question.sql,
            **told,
            "truth": self.true_values(),
        }

    def true_values(self) -> list[Json]:
        """The truth beside every row of the answer."""
        return [self.truth.get(_key(row)) for row in self.answer.rows]


@dataclass(frozen=True)
class LiveQueries:
    """What was asked of the live database, what it said, and how it ended."""

    served: bool  # over HTTP; else within the process, because FastAPI is not installed
    asked: tuple[Asked, ...]
    again: Answer  # the first question once more
    refused: str  # what the budget says to the last question
    seconds: float

    def to_json(self) -> dict[str, Json]:
        """The section `queries` of the demo's document. It has noise, so no two runs tell the same."""
        return {
            "served": self.served,
            "granted": {"epsilon": float(GRANTED)},
            "asked": [part.to_json() for part in self.asked],
            "again": {"same": self.again.rows == self.asked[0].answer.rows, "spent": dict(self.again.spent)},
            "refused": self.refused,
            "seconds": self.seconds,
        }

    def to_tables(self) -> Tables:
        """Every answer beside the truth, and what is left."""
        rows: Rows = [["question", "group", "answer, 95 %", "truth", "costs", "left"]]
        for part in self.asked:
            rows += _rows(part)
        again = self.again
        rows.append(
            ["the first question again", "", _cell(again, 0), "the same, from the archive", *_costs(again)]
        )
        why = "it costs more than is left"
        rows.append([ONE_TOO_MANY.words, "", "refused", why, ONE_TOO_MANY.epsilon, _costs(again)[1]])
        where = "a live database over HTTP" if self.served else "a live database in this process"
        budget = f"every answer has noise (±) and takes from the analyst's budget of ε = {GRANTED}"
        return {f"{where}: {budget}": rows}


def write_database(place: Path) -> None:
    """The project file of the live database."""
    lists = {
        name: "\n".join(f'    "{value}",' for group in tree.values() for value in group)
        for name, tree in (("diagnoses", DIAGNOSES), ("occupations", OCCUPATIONS))
    }
    write_text(DATABASE.format(place=place.name, **lists), place)


def play(config: Path, whole: pl.DataFrame, say: Callable[[str], None]) -> LiveQueries:
    """Start the service that a project file describes, ask it until the budget ends, and stop it."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="shoal-demo-") as folder:
        service = _open_service(project_of(config), Path(folder) / "database")
        try:
            (dataset,) = [known.name for known in project_of(config).datasets]
            token = service.add(ANALYST, "analyst", dataset, Fraction(GRANTED))
            with _way_to_ask(service, dataset, token, say) as (ask, served):
                asked = tuple(Asked(one, ask(one.sql, one.epsilon), one.truth(whole)) for one in QUESTIONS)
                again = ask(QUESTIONS[0].sql, QUESTIONS[0].epsilon)
                refused = _refusal_text(ask)
        finally:
            service.close()
    return LiveQueries(served, asked, again, refused, time.perf_counter() - begun)


def _open_service(project: Project, folder: Path) -> Service:
    """The service in a folder of its own, so that a second demo finds the budget as new as the first."""
    service = Service(folder)
    try:
        for dataset in project.datasets:
            service.declare(dataset)
    except BaseException:
        service.close()
        raise
    return service


def _refusal_text(ask: Ask) -> str:
    try:
        ask(ONE_TOO_MANY.sql, ONE_TOO_MANY.epsilon)
    except Spent as spent:
        return str(spent)
    raise AssertionError("the budget must not cover the last question")


@contextmanager
def _way_to_ask(
    service: Service, dataset: str, token: str, say: Callable[[str], None]
) -> Iterator[tuple[Ask, bool]]:
    """A way to ask: over HTTP, or directly where there is no web framework."""
    try:
        made = server(service, port=0)
    except BadParameter:
        person = service.find(token)
        assert person is not None
        say("Opening the same hospital as a live database, in this process: FastAPI is not installed.")

        def directly(sql: str, epsilon: str) -> Answer:
            answer = service.ask(person, dataset, sql, Fraction(epsilon))
            if answer.leaves is not None:
                answer.leaves()
            return answer

        yield directly, False
        return
    say("Opening the same hospital as a live database, and asking it as an analyst with a budget.")
    thread = threading.Thread(target=made.run, name="shoal-demo-service", daemon=True)
    thread.start()
    try:
        deadline = time.monotonic() + PATIENCE
        while not made.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise ShoalError("the service of the demo did not start; is a firewall closing the loopback?")
            time.sleep(0.01)
        port = made.servers[0].sockets[0].getsockname()[1]
        client = connect(f"http://127.0.0.1:{port}", token)
        yield lambda sql, epsilon: client.ask(sql, epsilon, dataset=dataset), True
    finally:
        made.should_exit = True
        thread.join(PATIENCE)


def _by(whole: pl.DataFrame, key: str, value: pl.Expr) -> dict[Any, float]:
    grouped = whole.group_by(key).agg(value.alias("value"))
    return dict(zip(grouped[key].to_list(), grouped["value"].to_list(), strict=True))


def _key(row: tuple[Any, ...]) -> Any:
    return row[0] if len(row) > 1 else None


def _cell(answer: Answer, row: int) -> str:
    return value_text(answer.rows[row][-1], answer.interval[row][-1])


def _costs(answer: Answer) -> list[str]:
    return [f"{answer.spent['epsilon']:g}", f"{answer.remaining['epsilon']:g}"]


def _rows(part: Asked) -> Rows:
    rows: Rows = []
    for place, truth in enumerate(part.true_values()):
        key = _key(part.answer.rows[place])
        first = place == 0
        rows.append(
            [
                part.question.words if first else "",
                "missing" if key is None and len(part.answer.columns) > 1 else str(key or ""),
                _cell(part.answer, place),
                f"{truth:,.0f}" if isinstance(truth, int | float) else "–",
                *(_costs(part.answer) if first else ["", ""]),
            ]
        )
    return rows or [[part.question.words, "", "no group is large enough", "", *_costs(part.answer)]]
