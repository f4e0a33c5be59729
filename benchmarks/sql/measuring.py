"""How much of what analysts write is answered: suites of our own in the styles of public ones.

Five are suites of others, the sixth is what dashboards and their users write.
A question counts as answered when it comes back with rows of the right columns, at a great ε; whether these
are right is for the tests, which compare with plain DuckDB.
"""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path

from benchmarks.sql.styles import Style, styles
from shoal.core.errors import ShoalError
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session

EPSILON = Fraction(1_000)
SHOWN = 110  # characters of a question that is refused


def run(only: str = "") -> None:
    """Per style how many are answered, and why the others are not."""
    for style in styles():
        if only in style.name:
            refused = refusals(style)
            asked = len(style.questions)
            answered = asked - len(refused)
            title = f"{style.name}: {answered} of {asked} answered, {100 * answered / asked:.0f} %"
            print(f"\n{title}")
            for text, why in refused:
                print(f"  {text[:SHOWN]}\n    {why}")


def refusals(style: Style) -> list[tuple[str, str]]:
    """The questions that are not answered, and the sentence that says so."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        ledger = open_ledger(Path(folder) / "ledger.sqlite")
        session = Session(style.dataset, style.store, ledger, trusted=True)
        session.grant("owner")
        for text in style.questions:
            try:
                session.ask(text, EPSILON)
            except ShoalError as error:
                found.append((text, str(error)))
        ledger.close()
    return found
