"""A small made-up shop: customers, their orders, the lines of those, and a public table of parts."""

# ruff: noqa: E501

from __future__ import annotations

import datetime
from fractions import Fraction
from typing import Any

import polars as pl

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Link, Table, hang
from shoal.queries.stores.duckdb_store import DuckStore

CUSTOMER = Table(
    "customer",
    (
        Column("c_id", "integer"),
        Column("segment", keys=("home", "work")),
        Column("balance", "number", -10, 90),
    ),
    unit="c_id",
)
ORDERS = Table(
    "orders",
    (
        Column("o_id", "integer"),
        Column("o_customer", "integer"),
        Column("ordered", "date", 8035, 8400),  # 1992
        Column("status"),
    ),
    unit="o_customer",
    rows=3,
)
LINES = hang(
    Table(
        "lines",
        (
            Column("l_order", "integer"),
            Column("l_number", "integer"),
            Column("l_part", "integer"),
            Column("quantity", "integer", 0, 10),
            Column("price", "number", 0, 100),
        ),
    ),
    ORDERS,
    Link("l_order", "orders", "o_id", 2),
    rows=5,
)
PARTS = Table("parts", (Column("p_id", "integer"), Column("brand")))


def dataset(lines: Table = LINES) -> Dataset:
    budget = Budget(Fraction(10**6), Fraction(1, 1000))
    return Dataset("shop", (CUSTOMER, ORDERS, lines, PARTS), budget, accounting="approximate")


SCHEMAS: dict[str, dict[str, Any]] = {
    "customer": {"c_id": pl.Int64, "segment": pl.String, "balance": pl.Float64},
    "orders": {"o_id": pl.Int64, "o_customer": pl.Int64, "ordered": pl.Date, "status": pl.String},
    "lines": {
        "l_order": pl.Int64, "l_number": pl.Int64, "l_part": pl.Int64, "quantity": pl.Int64, "price": pl.Float64,
    },
    "parts": {"p_id": pl.Int64, "brand": pl.String},
}  # fmt: skip
Rows = dict[str, list[dict[str, Any]]]


def store(rows: Rows, of: Dataset | None = None) -> DuckStore:
    made = DuckStore(of or dataset(), threads=1)
    for name, schema in SCHEMAS.items():
        made.load(name, pl.DataFrame(rows[name], schema=schema, orient="row"))
    return made


def without(rows: Rows, gone: int) -> Rows:
    """The same shop, had one customer never come: his orders and their lines are not there either."""
    orders = [row for row in rows["orders"] if row["o_customer"] != gone]
    his = {row["o_id"] for row in rows["orders"] if row["o_customer"] == gone}
    return {
        "customer": [row for row in rows["customer"] if row["c_id"] != gone],
        "orders": orders,
        "lines": [row for row in rows["lines"] if row["l_order"] not in his],
        "parts": rows["parts"],
    }


def usual(number: int = 30) -> Rows:
    day = datetime.date(1992, 1, 1)
    return {
        "customer": [{"c_id": c, "segment": ("home", "work")[c % 2], "balance": float(c)} for c in range(number)],
        "orders": [
            {"o_id": o, "o_customer": o // 2, "ordered": day + datetime.timedelta(days=o), "status": "FO"[o % 2]}
            for o in range(2 * number)
        ],
        "lines": [
            {"l_order": n // 2, "l_number": n % 2, "l_part": n % 5, "quantity": n % 10, "price": float(n % 90)}
            for n in range(4 * number)
        ],
        "parts": [{"p_id": p, "brand": f"brand {p % 3}"} for p in range(5)],
    }  # fmt: skip


QUESTIONS = [
    "SELECT COUNT(*), SUM(quantity), COUNT(DISTINCT l_order), COUNT(DISTINCT _unit) FROM lines",
    "SELECT COUNT(*), SUM(quantity) FROM orders JOIN lines ON o_id = l_order",
    "SELECT COUNT(*), AVG(price) FROM lines JOIN orders ON l_order = o_id WHERE status = 'F'",
    "SELECT COUNT(*) FROM orders LEFT JOIN lines ON o_id = l_order AND quantity > 3",
    "SELECT segment, COUNT(*), SUM(price * quantity) FROM customer, orders, lines "
    "WHERE c_id = o_customer AND l_order = o_id AND ordered < DATE '1992-03-01' GROUP BY segment",
    "SELECT brand, COUNT(*) FROM lines, parts, orders WHERE l_part = p_id AND l_order = o_id GROUP BY brand",
    "SELECT COUNT(*), SUM(n), MAX(total) FROM (SELECT l_order, COUNT(*) AS n, SUM(price) AS total FROM lines GROUP BY l_order) t",
    "SELECT COUNT(*), SUM(total) FROM orders JOIN (SELECT l_order, SUM(quantity) AS total FROM lines GROUP BY l_order "
    "HAVING SUM(quantity) > 4) t ON o_id = t.l_order",
    "SELECT COUNT(*) FROM orders WHERE o_id IN (SELECT l_order FROM lines GROUP BY l_order HAVING SUM(quantity) > 6)",
    "SELECT COUNT(*) FROM orders o WHERE EXISTS (SELECT 1 FROM lines l WHERE l.l_order = o.o_id AND l.quantity > 2)",
    "SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM lines l WHERE l.l_order = o.o_id AND l.quantity > 2)",
    "SELECT COUNT(*) FROM lines a JOIN lines b ON a.l_order = b.l_order",
    "SELECT COUNT(*) FROM lines a JOIN lines b ON a._unit = b._unit AND a.l_order = b.l_order",
    "SELECT SUM(spent) FROM customer JOIN (SELECT o_customer, SUM(price) AS spent FROM orders JOIN lines ON l_order = o_id "
    "GROUP BY o_customer) s ON c_id = s.o_customer",
    "SELECT COUNT(*) FROM (SELECT * FROM lines) x JOIN orders ON x.l_order = o_id",
    "SELECT n, COUNT(*) FROM (SELECT c_id, COUNT(o_id) AS n FROM customer LEFT JOIN orders ON c_id = o_customer GROUP BY c_id) x "
    "GROUP BY n",
    "SELECT SUM(n) FROM (SELECT o_customer, DATE_TRUNC('month', ordered) AS m, COUNT(*) AS n FROM orders GROUP BY 1, 2) t",
    "SELECT AVG(n), SUM(n) FROM (SELECT _unit, l_part, SUM(quantity) AS n FROM lines GROUP BY _unit, l_part) t",
    "SELECT m, SUM(n) FROM (SELECT o_customer, DATE_TRUNC('month', ordered) AS m, COUNT(*) AS n FROM orders GROUP BY 1, 2) t GROUP BY m",
    "SELECT COUNT(*) FROM orders o JOIN (SELECT o_customer, status, COUNT(*) AS n FROM orders GROUP BY 1, 2) s "
    "ON o.o_customer = s.o_customer AND o.status = s.status",
    "SELECT COUNT(*) FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.o_customer = o.o_customer AND p.status = o.status "
    "AND p.ordered > '1992-02-01')",
]  # fmt: skip
