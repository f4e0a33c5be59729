"""A process of its own that reserves in a loop and reports every reservation it got, for others to kill.

reserving.py PLACE DATASET ANALYST ROUNDS THREADS: a line per verdict, `reserved ID`, `spent` or `failed …`.
"""

import os
import sys
import threading

from shoal.core.errors import ShoalError, Spent
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger

STEP = Cost(7, 3)


def report(text: str) -> None:
    os.write(1, f"{text}\n".encode())  # one system call: a line is there or it is not


def work(ledger: Ledger, dataset: str, analyst: str, rounds: int) -> None:
    for number in range(rounds):
        try:
            report(f"reserved {ledger.reserve(dataset, analyst, STEP, f'question {number}').id}")
        except Spent:
            report("spent")
        except ShoalError as error:
            report(f"failed {type(error).__name__} {error}")
            return


def main() -> None:
    place, dataset, analyst, rounds, threads = sys.argv[1:]
    ledger = open_ledger(place)
    report("open")
    workers = [
        threading.Thread(target=work, args=(ledger, dataset, analyst, int(rounds)), daemon=True)
        for _ in range(int(threads))
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(600)


if __name__ == "__main__":
    main()
