"""Which rows DuckDB keeps: the first of a key, and what hangs on kept rows."""

import polars as pl
from sqlglot import exp

from queries.shop import SCHEMAS, dataset, store, usual
from shoal.queries.stores.duckdb_rows import hangs_on, root_of


def test_a_table_is_traced_to_whose_rows_it_has() -> None:
    of = dataset()
    lines, orders, customer = (of.table(name) for name in ("lines", "orders", "customer"))
    assert root_of(of, lines) == orders and root_of(of, customer) == customer
    assert (
        hangs_on(of, lines, [orders]) and hangs_on(of, lines, [lines]) and not hangs_on(of, lines, [customer])
    )
    assert not hangs_on(of, orders, [orders])


def test_of_a_persons_rows_with_one_key_one_is_kept_and_others_are_not_pushed_out() -> None:
    made = store({**usual(1), "orders": [], "lines": []})
    orders = [{"o_id": 7, "o_customer": 0, "ordered": None, "status": str(n)} for n in range(9)]
    orders += [{"o_id": n, "o_customer": 0, "ordered": None, "status": "F"} for n in (8, 9)]
    orders += [{"o_id": 7, "o_customer": 1, "ordered": None, "status": "other person"}]
    made.load("orders", pl.DataFrame(orders, schema=SCHEMAS["orders"], orient="row"))
    relation = made.relation(made.dataset.table("orders"))
    (frame,) = made.run([exp.select("o_customer", "o_id").from_(relation).order_by("1", "2")])
    assert frame.rows() == [(0, 7), (0, 8), (0, 9), (1, 7)]
