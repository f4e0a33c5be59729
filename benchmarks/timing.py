"""What the clock still tells: how often the time of one question decides one patient's secret.

An attacker asks, for each patient, the question within the limits that takes longest if the patient is ill
and does next to nothing if not. The best threshold is chosen afterwards, with the truth at hand:
no attacker can do better with one question each. Half of the patients are ill, so 50 % is blind guessing.
"""

from __future__ import annotations

import http.client
import json
import random
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import polars as pl

from benchmarks import show
from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.ledger import passing_ledger
from shoal.queries.service.run import server
from shoal.queries.service.service import Service
from shoal.queries.service.settings import Settings
from shoal.queries.session import Session
from shoal.queries.stores.duckdb_store import DuckStore

PEOPLE = 20_000
PATIENTS = 30
FITTING = 200  # rows of the public table for each value


def dataset() -> Dataset:
    patients = Table("patients", (Column("pid"), Column("hiv", keys=("yes", "no")), Column("note")), "pid")
    codes = Table("codes", (Column("code"), Column("words")))
    return Dataset("hospital", (patients, codes), Budget(Fraction(1000)))


def filled(made: DuckStore) -> None:
    ill = ["yes" if number % 2 else "no" for number in range(PEOPLE)]
    notes = pl.Series(["ab" * 500]).sample(PEOPLE, with_replacement=True)
    made.load(
        "patients", pl.DataFrame({"pid": [f"P{n:06}" for n in range(PEOPLE)], "hiv": ill, "note": notes})
    )
    made.load("codes", pl.DataFrame({"code": ["a"] * FITTING, "words": ["ba" * 500] * FITTING}))


def question(number: int, heavy: int, joined: bool) -> str:
    """The work hangs on one patient and one secret."""
    holds = f"pid = 'P{number:06}' AND hiv = 'yes'"
    text = "c.words" if joined else "p.note"
    work = " OR ".join(f"LOWER({text}) LIKE '%a%b%c{place}%'" for place in range(heavy))
    if joined:
        return (
            f"SELECT COUNT(*) FROM patients p JOIN codes c ON c.code = CASE WHEN {holds} THEN 'a' ELSE 'z'"
            f" END WHERE {work}"
        )
    return f"SELECT COUNT(*) FROM patients p WHERE CASE WHEN {holds} THEN {work} ELSE FALSE END"


def heaviest(session: Session, joined: bool) -> int:
    """As many parts as are still allowed."""
    fits = 1
    for heavy in range(1, 200):
        try:
            session.estimate(question(1, heavy, joined), Fraction(1))
        except NotAllowed:
            break
        fits = heavy
    return fits


def decided(times: Sequence[tuple[bool, float]]) -> float:
    """The share that the best threshold, or its opposite, gets right."""
    cuts = [seconds for _, seconds in times] + [float("inf")]
    right = [sum((seconds >= cut) == ill for ill, seconds in times) for cut in cuts]
    return max(max(right), len(times) - min(right)) / len(times)


def by_chance(times: Sequence[tuple[bool, float]]) -> float:
    """The same for secrets that have nothing to do with the times, on average."""
    chance = random.Random(0)
    secrets = [ill for ill, _ in times]
    drawn = (chance.sample(secrets, len(secrets)) for _ in range(500))
    return statistics.mean(
        decided([(ill, seconds) for ill, (_, seconds) in zip(some, times, strict=True)]) for some in drawn
    )


def measured(
    ask: Callable[[str], object], heavy: int, joined: bool, patients: int
) -> list[tuple[bool, float]]:
    found = []
    for number in range(100, 100 + patients):
        begun = time.perf_counter()
        ask(question(number, heavy, joined))
        found.append((bool(number % 2), time.perf_counter() - begun))
    return found


def run(patients: int | None = None) -> None:
    """The clock of the engine, and the clock of a client of the service."""
    patients = patients or PATIENTS
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder), settings=Settings(rate=10_000, burst=10_000, blur=0))
        store = DuckStore(dataset())
        filled(store)
        service.register(dataset(), store=store)
        token = service.add("ada", "analyst", "hospital", Fraction(500))
        bare = Session(dataset(), store, passing_ledger())
        bare.grant("owner")
        epsilon = Fraction(1, 1000)
        with _served(service) as port:
            clocks: dict[str, Callable[[str], object]] = {
                "engine": lambda sql: bare.ask(sql, epsilon),
                "service": lambda sql: _asked(port, token, sql),
            }
            for joined in (False, True):
                heavy = heaviest(bare, joined)
                for name, ask in clocks.items():
                    times = measured(ask, heavy, joined, patients)
                    ill = sorted(seconds for truth, seconds in times if truth)
                    well = sorted(seconds for truth, seconds in times if not truth)
                    middle = [1000 * part[len(part) // 2] for part in (ill, well)]
                    shape = f"{'join' if joined else 'row'}, {heavy} parts"
                    rows.append(
                        [
                            shape,
                            name,
                            f"{middle[0]:.1f}",
                            f"{middle[1]:.1f}",
                            f"{decided(times):.0%}",
                            f"{by_chance(times):.0%}",
                        ]
                    )
        service.close()
    show.table(f"Time as a channel, {patients} patients, one question each", _HEAD, rows)


_HEAD = ("question", "clock", "ill, ms", "well, ms", "decided right", "by chance")


@contextmanager
def _served(service: Service) -> Iterator[int]:
    listening = socket.create_server(("127.0.0.1", 0))
    made = server(service, "127.0.0.1", 0)
    thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not made.started:
        time.sleep(0.01)
    try:
        yield int(listening.getsockname()[1])
    finally:
        made.should_exit = True
        thread.join(30)
        listening.close()


def _asked(port: int, token: str, sql: str) -> None:
    line = http.client.HTTPConnection("127.0.0.1", port)
    body = json.dumps({"dataset": "hospital", "sql": sql, "epsilon": 0.001})
    line.request(
        "POST", "/query", body, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    )
    response = line.getresponse()
    answer = json.load(response)
    if response.status != 200:
        raise RuntimeError(answer)
