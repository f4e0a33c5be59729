"""Row expressions on Spark are total, too, and do what the twin says: many of them in every SELECT."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from adversary.making import Maker
from adversary.pieces import INF, Piece
from adversary.scene import DATASET, PEOPLE, _frames, given, seen
from adversary.seeds import seed_of
from queries.sql.rows_scene import check
from queries.stores.in_spark import as_tables
from shoal.core.errors import NotAllowed
from shoal.engines.spark_reading import SparkReader
from shoal.queries.declaration.declaration import Kind
from shoal.queries.sql.expressions import type_expression
from shoal.queries.sql.fixed_point import column_of
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.stores.duckdb_store import DuckStore
from shoal.queries.stores.spark_store import spark_text

KINDS: tuple[Kind, ...] = ("integer", "number", "number", "text", "boolean", "date", "timestamp")
AT_ONCE = 30


class People:
    """What names stand for."""

    def column(self, name: str, table: str | None) -> TypedExpression:
        try:
            return column_of(PEOPLE.column(name), "t0", PEOPLE)
        except Exception:
            raise NotAllowed(f"no column '{name}'") from None


@dataclass
class Rows:
    """Clean rows in Spark, and as expressions see them."""

    reader: SparkReader
    table: str
    seen: list[dict[str, Any]]

    def values(self, expressions: Sequence[exp.Expression]) -> list[list[Any]]:
        """What each expression gives, by row."""
        select = exp.select(exp.column("row", table="t0", quoted=True).as_("r")).from_(
            sqlglot.parse_one(f"SELECT * FROM {self.table} AS t0", dialect="spark").args["from_"].this
        )
        for number, expression in enumerate(expressions):
            select = select.select(exp.alias_(expression.copy(), f"c{number}", copy=False), copy=False)
        (frame,) = self.reader.frames([spark_text(select)])
        frame = frame.sort("r")
        return [frame[f"c{number}"].to_list() for number in range(len(expressions))]


@pytest.fixture(scope="module")
def people(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rows]:
    rows = given(random.Random(seed_of("spark")), 64)
    duck = DuckStore(DATASET, threads=1)
    for name, frame in _frames(rows).items():
        duck.load(name, frame)
    (clean,) = duck.run([exp.select("*").from_(duck.relation(PEOPLE))])
    duck.close()
    names = as_tables(spark, tmp_path_factory.mktemp("people"), {"people": clean})
    yield Rows(SparkReader(spark), names["people"], [seen(row) for row in rows])


@dataclass
class Tally:
    """What was drawn, and what came of it."""

    refused: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def drawn(people: Rows, seed: str, number: int) -> Tally:
    """So many expressions, each as a column."""
    rng, tally = random.Random(seed), Tally()
    make, waiting = Maker(rng), []
    for _ in range(number):
        piece = make.any(rng.choice(KINDS), rng.choice((1, 2, 2, 3)))
        tally.names.update(set(piece.names))
        typed = [_typed(piece, dialect) for dialect in ("duckdb", "spark")]
        if isinstance(typed[1], str):
            tally.refused[typed[1]] += 1
            if typed[0] != typed[1] and "on Spark" not in typed[1]:
                tally.wrong.append(f"{piece.sql}\n  refused on Spark alone: {typed[1]}")
            continue
        waiting.append((piece, typed[1]))
    for place in range(0, len(waiting), AT_ONCE):
        _compare(people, waiting[place : place + AT_ONCE], tally)
    return tally


def _typed(piece: Piece, dialect: str) -> TypedExpression | str:
    node = sqlglot.parse_one(f"SELECT {piece.sql}", read="duckdb").expressions[0]
    try:
        return type_expression(node, People(), dialect)
    except NotAllowed as refusal:
        return str(refusal)


def _compare(people: Rows, pieces: list[tuple[Piece, TypedExpression]], tally: Tally) -> None:
    try:
        found = people.values([typed.sql for _, typed in pieces])
    except Exception as error:
        if len(pieces) > 1:
            half = len(pieces) // 2
            _compare(people, pieces[:half], tally)
            _compare(people, pieces[half:], tally)
            return
        tally.wrong.append(f"{pieces[0][0].sql}\n  raises: {str(error.__cause__ or error)[:300]}")
        return
    for (piece, typed), values in zip(pieces, found, strict=True):
        try:
            check(typed, values)
        except AssertionError as error:
            tally.wrong.append(f"{piece.sql}\n  out of its bounds: {error}")
        if piece.off == INF:
            continue
        for row, value in zip(people.seen, values, strict=True):
            if not _same(piece, value, piece.value(row)):
                wrong = f"{value!r} for {piece.value(row)!r} of {row}"
                tally.wrong.append(f"{piece.sql}\n  {wrong}"[:1500])
                break


def _same(piece: Piece, value: Any, wanted: Any) -> bool:
    if value is None or wanted is None:
        return value is wanted
    if piece.numeric:
        return bool(abs(value - wanted) <= piece.off)
    if isinstance(wanted, str) and isinstance(value, date | datetime):
        return str(value) == wanted
    return bool(value == wanted)


def test_expressions_on_spark_do_what_the_twin_says(people: Rows) -> None:
    tally = drawn(people, "a few on Spark", 60)
    assert not tally.wrong, "\n".join(tally.wrong[:5])
    assert tally.refused.total() < 20, tally.refused.most_common(5)


@pytest.mark.slow
def test_no_expression_on_spark_raises_and_all_do_what_the_twin_says(people: Rows) -> None:
    seed = seed_of("expressions on Spark")
    tally = drawn(people, seed, 1_200)
    assert not tally.wrong, f"seed {seed!r}:\n" + "\n".join(tally.wrong[:10])
    assert tally.refused.total() < 400, tally.refused.most_common(5)
    assert len(tally.names) > 60, tally.names
