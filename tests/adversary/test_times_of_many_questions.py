"""What the clock tells to whoever asks the same thing many times, cheaply.

Of a question that is slow only if one patient is ill, tuned so that it ends at a border of time, the border
tells each time. Sixteen calls of a slow function moved it by 14 ms, and an idle machine spreads by some 3:
one question of ε = 10⁻⁵ was enough.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from adversary.hospital import NAME, dataset, frames, open_hospital, pid
from shoal.core.errors import NotAllowed
from shoal.queries.service.analyst_routes import blurred
from shoal.queries.service.settings import Settings
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

HOLDS = f"pid = '{pid(3)}' AND hiv = 'yes'"
LONG = " || ".join(["note"] * 9)
MOVED = 0.0005  # seconds that the dearest question takes longer for one person, in DuckDB
CHANCES = (np.arange(200_000) + 0.5) / 200_000


def test_slow_functions_of_long_texts_are_refused_where_one_person_would_pay_for_them() -> None:
    store = DuckStore(dataset(), threads=1)
    for name, frame in frames().items():
        store.load(name, frame)
    parts = " OR ".join(f"SPLIT_PART({LONG}, 'a', 40{number}) = 'c'" for number in range(4))
    columns = ", ".join(f"COUNT_IF(CASE WHEN {HOLDS} THEN {parts} ELSE FALSE END) AS c{n}" for n in range(4))
    with pytest.raises(NotAllowed, match="steps for one person"):
        plan(f"SELECT {columns} FROM patients", dataset(), store)
    store.close()


def leave_first(seconds: np.ndarray, border: float) -> np.ndarray:
    """The chance that an answer leaves at a border, given when it is ready."""
    shares = np.sort([blurred(chance) for chance in CHANCES])
    return 1 - np.searchsorted(shares, seconds / border) / len(shares)


@pytest.mark.parametrize("border", [0.1, 0.3, 1.0])
def test_a_bit_read_from_the_clock_costs_more_than_it_is_worth(border: float) -> None:
    """On a machine without any noise of its own, of a question tuned to the worst time there is."""
    times = np.linspace(MOVED, border - 2 * MOVED, 2_000)
    far = np.max(leave_first(times, border) - leave_first(times + MOVED, border))
    assert 0 < far < 0.02  # 1 without the blur
    # Two coins so far apart are told from each other by 1 / 4 far² throws, each of which is paid for.
    assert Settings().least_epsilon / (4 * far**2) > 1


def test_a_thousand_questions_for_next_to_nothing_cannot_be_had(tmp_path: Path) -> None:
    with open_hospital(tmp_path, settings=Settings(first_bucket=0.001)) as hospital:
        assert hospital.ask("SELECT COUNT(*) FROM patients", "0.00099").status == 400
        answer = hospital.ask("SELECT COUNT(*) FROM patients", "0.001")
        assert answer.status == 200
        assert answer.json["spent"]["epsilon"] == 0.001
        assert hospital.service.ledger.spent(NAME, "ada").exact[0] == Fraction(1, 1000)
