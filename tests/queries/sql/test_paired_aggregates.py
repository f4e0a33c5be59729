"""What is made of means is what plain DuckDB has for it, pairs with gaps and flat columns included."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import duckdb
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st

from queries import clinic
from queries.sql.test_rewriting import STORE
from shoal.core.errors import NotAllowed
from shoal.queries.ledger import open_ledger
from shoal.queries.session import Session
from shoal.queries.sql.paired_aggregates import PAIRED, of_means
from shoal.queries.sql.planner import plan

NAMES = ("CORR", "COVAR_POP", "COVAR_SAMP", "REGR_SLOPE", "REGR_INTERCEPT", "REGR_R2")
PEOPLE = [
    clinic.person(number, sex="FM"[number % 2], age=20 + number % 17, income=10.0 * (number % 101))
    for number in range(2_000)
]
VALUES = st.one_of(st.none(), st.integers(-9, 9))


def made(text: str) -> str:
    node = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(node, PAIRED)
    return of_means(node).sql(dialect="duckdb")


@pytest.mark.parametrize("name", NAMES)
@given(pairs=st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8))
def test_it_is_what_plain_duckdb_has(name: str, pairs: list[tuple[int | None, int | None]]) -> None:
    text = f"{name}(y, x)"
    rows = ", ".join(
        f"({y if y is not None else 'NULL'}, {x if x is not None else 'NULL'})" for y, x in pairs
    )
    with duckdb.connect() as plain:
        found = plain.execute(
            f"SELECT {text}, {made(text)}, COUNT(x * y), VAR_POP(x) FILTER (WHERE y IS NOT NULL), "
            f"VAR_POP(y) FILTER (WHERE x IS NOT NULL) FROM (VALUES {rows}) AS t (y, x)"
        ).fetchone()
    assert found is not None
    theirs, ours, number, *spreads = found
    flat = (
        number < 2 or (0 in spreads and name in ("CORR", "REGR_R2")) or (spreads[0] == 0 and "REGR" in name)
    )
    assert flat or ours == pytest.approx(theirs, abs=1e-7)
    assert not flat or ours is None or name == "COVAR_POP"


@pytest.mark.parametrize("name", NAMES)
def test_at_a_great_epsilon_the_answer_is_that_of_plain_sql(name: str, tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path / "ledger.sqlite")
    session = Session(clinic.dataset("1000000"), clinic.store(PEOPLE, [], []), ledger, trusted=True)
    session.grant("owner")
    found = session.ask(
        f"SELECT sex, {name}(income, income / 100 + age) AS r FROM people GROUP BY sex", Fraction(1_000)
    )
    ledger.close()
    with duckdb.connect() as plain:
        plain.register("people", clinic.people(PEOPLE).to_arrow())
        theirs = dict(
            plain.execute(
                f"SELECT sex, {name}(income, income / 100 + age) FROM people GROUP BY sex"
            ).fetchall()
        )
    for sex, value in found.rows:
        if sex in theirs:
            assert value == pytest.approx(theirs[sex], rel=0.1, abs=0.05)


@pytest.mark.parametrize("text", ["CORR(age, income) FILTER (WHERE age > 3)", "CORR(age, income) OVER ()"])
def test_beside_filter_and_over_it_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed):
        plan(f"SELECT {text} FROM people", clinic.dataset(), STORE)
