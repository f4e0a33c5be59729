"""One person's rows make no more work in PostgreSQL than was counted: what its planner and patterns take."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from adversary.hospital import dataset, frames, in_postgres
from shoal.core.errors import NotAllowed
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.postgres_store import PostgresStore

HOLDS = "pid = 'P000003' AND hiv = 'yes'"


@pytest.fixture(scope="module")
def store(postgres: str) -> Iterator[PostgresStore]:
    made = in_postgres(postgres, frames())
    yield made
    made.close()


def _explained(sql: str, store: PostgresStore, address: str) -> str:
    """What the server would do, with every expression written out."""
    (asked,) = selects(plan(sql, dataset(), store))
    with psycopg.connect(address) as connection:
        text = f"EXPLAIN (VERBOSE, COSTS OFF) {asked.sql(dialect='postgres')}"
        return "\n".join(row[0] for row in connection.execute(text).fetchall())


@pytest.mark.parametrize("twice", ["CASE WHEN x > 5 THEN x ELSE x END", "LEAST(x, x + 1)"])
def test_a_column_named_twice_in_each_of_many_sub_queries_is_not_worked_out_in_powers_of_two(
    twice: str, store: PostgresStore, postgres: str
) -> None:
    """Ten deep took five gigabytes in the server and more than a minute, past every deadline."""
    lengths = []
    for deep in (3, 6):
        select = "SELECT pid, hiv, age AS x FROM patients"
        for level in range(deep):
            select = f"SELECT pid, hiv, {twice} AS x FROM ({select}) AS q{level}"
        question = f"SELECT SUM(CASE WHEN {HOLDS} THEN x ELSE 0 END) FROM ({select}) AS q"
        lengths.append(len(_explained(question, store, postgres)))
    assert lengths[1] < 3 * lengths[0]


def test_cells_are_cleaned_once_for_all_rows_and_not_where_one_person_s_branch_names_them(
    store: PostgresStore, postgres: str
) -> None:
    sums = " + ".join(f"LENGTH(SUBSTRING(note, {place}, 9))" for place in range(1, 9))
    told = _explained(f"SELECT SUM(CASE WHEN {HOLDS} THEN {sums} ELSE 0 END) FROM patients", store, postgres)
    scan = told[told.index("Seq Scan") :]
    assert '"left"((patients.note)::text, 1000)' in scan.split("Output:")[1]


@pytest.mark.parametrize("kind", ["LIKE", "ILIKE"])
def test_long_patterns_are_tried_at_every_letter_of_a_text_and_cost_as_much(
    kind: str, store: PostgresStore
) -> None:
    """Twenty of them took 1.6 seconds for one patient who is ill, and 0.05 for one who is not."""
    text = " || ".join(["note"] * 9)
    tests = " OR ".join(f"t {kind} '%n_%{'n' * 500}_x{number}'" for number in range(20))
    question = (
        f"SELECT SUM(CASE WHEN {HOLDS} AND ({tests}) THEN 1 ELSE 0 END)"
        f" FROM (SELECT pid, hiv, {text} AS t FROM patients) AS q"
    )
    with pytest.raises(NotAllowed, match="steps for one person"):
        plan(question, dataset(), store)


def test_no_join_works_one_person_s_side_out_for_every_row_of_the_other(store: PostgresStore) -> None:
    with store._engine.snapshot() as snapshot:
        assert snapshot.rows("SHOW enable_nestloop") == [("off",)]
        assert snapshot.rows("SHOW jit") == [("off",)]


HEAVY = "(?:[a-c]*[b-d]*[c-e]*[d-f]*){28}"  # 0.14 s until PostgreSQL has built its automaton


def test_patterns_that_only_one_person_s_row_comes_to_cost_what_building_them_takes(
    store: PostgresStore,
) -> None:
    """PostgreSQL reads a pattern when a row comes to it: 38 of these took five seconds for one row."""
    ask = f"SELECT COUNT(*) FROM patients WHERE {HOLDS} AND note ~ '{{}}'"
    plan(ask.replace("{}", "^[A-Z]{2}[0-9]{6}(-[a-z]+)?$"), dataset(), store)
    with pytest.raises(NotAllowed, match="steps for one person"):
        plan(ask.replace("{}", HEAVY), dataset(), store)


def test_trimming_long_texts_costs_what_it_takes_in_postgres(store: PostgresStore) -> None:
    """32 TRIMs of 9,000 letters beyond ASCII took 5 ms for one patient who is ill, ten times any other."""
    text = " || ".join(["note"] * 9)
    tests = " OR ".join(f"TRIM(t) = '{number}'" for number in range(32))
    rows = "SELECT pid, hiv, note, {} AS t FROM patients"
    ask = f"SELECT COUNT_IF(CASE WHEN {{}} THEN {{}} ELSE FALSE END) FROM ({rows}) q"
    with pytest.raises(NotAllowed, match="steps for one person"):
        plan(ask.format(HOLDS, tests, text), dataset(), store)
    plan(ask.format(HOLDS, "TRIM(note) = 'x' OR TRIM(LEFT(note, 50)) = 'y'", "note"), dataset(), store)
