"""So many rows of a person, chosen by that person's rows alone."""

import duckdb

from queries.shop import LINES, ORDERS
from shoal.queries.stores.limiting_sql import few_rows, hanging_rows


def test_the_first_of_a_key_takes_a_place_and_the_others_do_not() -> None:
    duckdb.execute(
        "CREATE OR REPLACE TABLE few AS SELECT * FROM"
        " (VALUES (1, 5), (1, 5), (1, 6), (1, NULL), (1, NULL)) t(u, k)"
    )
    chosen = few_rows("few", "u", "k", "HASH(u, k)")
    assert duckdb.execute(f'SELECT COUNT(*) FROM ({chosen}) WHERE "0" <= 4 AND "1" = 1').fetchall() == [(4,)]
    plain = few_rows("few", "u", None, "HASH(u, k)")
    assert duckdb.execute(f'SELECT COUNT(*) FROM ({plain}) WHERE "0" <= 2 AND "1" = 1').fetchall() == [(2,)]


def test_what_two_people_name_is_there_for_each_and_nobodys_rows_are_not() -> None:
    names = ", ".join(column.name for column in LINES.given.columns)
    duckdb.execute(
        f"CREATE OR REPLACE TABLE given AS SELECT * FROM (VALUES (1, 0, 0, 0, 0), (2, 0, 0, 0, 0)) t({names})"
    )
    duckdb.execute(
        "CREATE OR REPLACE TABLE parents AS SELECT * FROM"
        " (VALUES (1, 10), (1, 11), (3, 12)) t(o_id, o_customer)"
    )
    rows = hanging_rows(LINES, ORDERS, None, "given", "parents", lambda row: f"HASH({row})")
    assert sorted(duckdb.execute(f"SELECT l_order, _unit FROM ({rows})").fetchall()) == [(1, 10), (1, 11)]
