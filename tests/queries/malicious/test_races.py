"""Races on the last ε, and a process that dies in the middle of a question."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path

import pytest

from patience import LONG, all_done, line_of
from queries.clinic import dataset, usual
from shoal.core.errors import Spent
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session

TESTS = Path(__file__).parents[2]
ASKER = """
import sys, json
from fractions import Fraction
from queries.clinic import dataset, usual
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session
live = Session(dataset("1000"), usual(), open_ledger(sys.argv[1]))
live.grant("owner")
number = int(sys.argv[2]) * 1_000_000
live.ask(f"SELECT COUNT(*) FROM people WHERE income > {number / 1e9}", Fraction(1, 1000))
print("ready", flush=True)
while True:
    number += 1
    question = f"SELECT COUNT(*) FROM people WHERE age <> {number % 1000} AND income > {number / 1e9}"
    answer = live.ask(question, Fraction(1, 1000))
    print(json.dumps([answer.id, answer.spent["epsilon"]]), flush=True)
"""


def test_fifty_threads_on_the_last_epsilon_get_one_answer(tmp_path: Path) -> None:
    live = Session(dataset("1"), usual(), open_ledger(str(tmp_path / "ledger.sqlite")))
    live.grant("owner")
    start = threading.Barrier(50)
    outcomes: list[str] = []

    def ask(number: int) -> None:
        start.wait(LONG)
        try:
            live.ask(f"SELECT COUNT(*) FROM people WHERE age > {number}", Fraction(1))
            outcomes.append("answered")
        except Spent:
            outcomes.append("spent")

    threads = [threading.Thread(target=ask, args=(number,), daemon=True) for number in range(50)]
    for thread in threads:
        thread.start()
    all_done(threads)
    assert sorted(outcomes) == ["answered"] + ["spent"] * 49
    assert live.budget().remaining["epsilon"] == 0


@pytest.mark.slow
def test_a_hundred_deaths_in_mid_question_lose_no_reservation(tmp_path: Path) -> None:
    """Every answer that anybody saw is in the ledger, and the books agree after every death."""
    place = str(tmp_path / "ledger.sqlite")
    chance = random.Random(5)
    seen: list[int] = []
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    deaths = 0
    for start in range(20):
        # One process dies at the end of each round; five workers share the round, so a hundred deaths in all.
        workers = [
            subprocess.Popen(
                [sys.executable, "-c", ASKER, place, str(start * 5 + worker)],
                stdout=subprocess.PIPE,
                text=True,
                env=environment,
            )
            for worker in range(5)
        ]
        for worker in workers:
            assert line_of(worker) == "ready\n"
        # Two answers each were seen, however slow the machine is; and some are cut off in the middle.
        seen += [json.loads(line_of(worker))[0] for _ in range(2) for worker in workers]
        for worker in workers:
            time.sleep(chance.random() * 0.1)
            worker.send_signal(signal.SIGKILL)
            deaths += 1
        for worker in workers:
            output, _ = worker.communicate(timeout=LONG)
            for line in output.splitlines():
                try:
                    seen.append(json.loads(line)[0])
                except ValueError:  # cut off in the middle of a line: nobody could read it
                    continue
    ledger = open_ledger(place)
    noted = {entry.id: entry for entry in ledger.entries(limit=10**6) if entry.kind == "reserve"}
    assert deaths == 100
    assert len(seen) == len(set(seen)) >= 200
    assert set(seen) <= set(noted)
    spent = ledger.spent("clinic", None)
    assert spent.loss == sum(entry.cost.loss for entry in noted.values())
    assert spent.loss >= len(seen) * 10**9
    assert ledger.check().holds
