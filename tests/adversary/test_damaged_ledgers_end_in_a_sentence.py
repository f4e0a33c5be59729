"""Four hundred ledgers with bytes changed at random: each is used, or refused in one clear sentence."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from faces.shell import shoal
from queries.ledger.books import opened
from shoal.core.errors import ShoalError
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger
from shoal.queries.ledger.token_holders import People

SEEDS = 400
ONE = Cost(1, 1)
ACTIONS: tuple[Callable[[Ledger], object], ...] = (
    lambda ledger: ledger.check(),
    lambda ledger: [entry.to_json() for entry in ledger.entries()],
    lambda ledger: ledger.remaining("people", "ada"),
    lambda ledger: ledger.spent("people"),
    lambda ledger: ledger.reserve("people", "ada", ONE, "SELECT 1"),
    lambda ledger: ledger.reserve("people", "ada", Cost(2**62, 1), "SELECT 2"),
    lambda ledger: ledger.open("people", Cost(10**15, 10**15), "refuse", "approximate"),
    lambda ledger: ledger.grant("people", "eve", ONE),
    lambda ledger: ledger.change("people", Cost(10**15, 10**15), "warn"),
    lambda ledger: ledger.recall(f"{3:064x}"),
    lambda ledger: People(ledger).all(),
    lambda ledger: People(ledger).renew("ada"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a ledger with some history."""
    path = tmp_path_factory.mktemp("whole") / "ledger.sqlite"
    with opened(str(path), analysts=("ada", "bob")) as ledger:
        People(ledger).add("ada")
        for number in range(40):
            ledger.reserve("people", ("ada", "bob")[number % 2], Cost(1000 + number, 1), f"naïve {number}")
    return path.read_bytes()


def damaged(whole: bytes, seed: int) -> bytes:
    chance, found = random.Random(seed), bytearray(whole)
    for _ in range(chance.choice((1, 3, 10, 100))):
        found[chance.randrange(len(found))] = chance.randrange(256)
    return bytes(found)


def test_no_damaged_ledger_ends_in_a_raw_error(whole: bytes, tmp_path: Path) -> None:
    refused = 0
    for seed in range(SEEDS):
        path = tmp_path / f"{seed}.sqlite"
        path.write_bytes(damaged(whole, seed))
        try:
            ledger = open_ledger(path)
        except ShoalError as error:
            refused += 1
            assert "\n" not in str(error), seed
            continue
        with ledger:
            for action in ACTIONS:
                try:
                    action(ledger)
                except ShoalError as error:
                    assert "\n" not in str(error), seed
    assert 0 < refused < SEEDS, "some open and some do not: both ways were tried"


def test_the_command_line_says_it_in_one_line(
    whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    codes = set()
    for seed in range(0, SEEDS, 20):
        Path(f"{seed}.sqlite").write_bytes(damaged(whole, seed))
        for verb in ("check", "log", "budget"):
            run = shoal("query", verb, "--ledger", f"{seed}.sqlite", "--json")
            codes.add(run.code)
            assert "Traceback" not in run.err and len(run.err.strip().splitlines()) <= 1, (seed, run.err)
    assert codes >= {0, 1}
