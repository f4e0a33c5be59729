"""Every place of a question where a row expression may stand, and what must be there row by row."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from sqlglot import exp

from adversary.pieces import INF, Piece, Row
from shoal.queries.query import Query

Role = Literal["value", "key", "sum", "mean", "spread", "quantile", "held"]
NUMERIC: dict[str, Role] = {
    "SUM({0})": "sum",
    "AVG({0})": "mean",
    "VAR_POP({0})": "spread",
    "VAR_SAMP({0})": "spread",
    "STDDEV({0})": "spread",
    "MIN({0})": "quantile",
    "MAX({0})": "quantile",
    "MEDIAN({0})": "quantile",
    "QUANTILE_CONT({0}, 0.3)": "quantile",
    "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY {0})": "quantile",
}
PER_PERSON = ("SUM", "AVG", "MIN", "MAX")


@dataclass(frozen=True)
class Wanted:
    """A column of a question, and what the engine must be given for it in a row."""

    role: Role
    piece: Piece
    only: Piece | None = None  # where this does not hold it is missing
    slack: float = 0.0  # in steps, besides the half that rounding takes


@dataclass(frozen=True)
class Stand:
    """A question with an expression in it."""

    sql: str
    place: str
    wanted: dict[str, Wanted]
    kept: Piece | None = None  # rows for which this does not hold are not there


def stands(rng: random.Random, piece: Piece, test: Piece) -> Stand:
    """The piece somewhere; `test` is a condition for where one is needed beside it."""
    start = "SELECT COUNT(row) AS r"
    ways: list[Callable[[], Stand]] = [lambda: _key(start, piece), lambda: _counted(start, piece, test)]
    if piece.kind == "boolean":
        ways = [
            lambda: _where(start, piece),
            lambda: _filter(start, piece),
            lambda: _join(start, rng, piece),
            ways[0],
        ]
    elif piece.kind in ("integer", "text", "date") and rng.random() < 0.1:
        ways = [lambda: _public(piece)]
    elif piece.numeric and piece.reach <= 2.0**53:
        ways = [lambda: _summed(start, rng, piece, test)] * 4 + [lambda: _person(rng, piece)] * 2 + ways
    return rng.choice(ways)()


def _key(start: str, piece: Piece) -> Stand:
    # By its number: a written value as a key is not the key again where it stands beside it.
    return Stand(f"{start}, {piece.sql} AS k FROM people GROUP BY 2", "GROUP BY", {"k": Wanted("key", piece)})


def _counted(start: str, piece: Piece, test: Piece) -> Stand:
    sql = f"{start}, COUNT({piece.sql}) AS v, COUNT(DISTINCT {piece.sql}) AS d FROM people WHERE {test.sql}"
    wanted = Wanted("value", piece)
    distinct = Wanted("value", _plain(piece))
    return Stand(sql, "COUNT DISTINCT", {"v": wanted, "d": distinct}, test)


def _plain(piece: Piece) -> Piece:
    """The same, never as a code."""
    return Piece(piece.sql, piece.kind, piece.value, off=piece.off, apart=piece.apart, names=piece.names)


def _where(start: str, piece: Piece) -> Stand:
    return Stand(f"{start} FROM people WHERE {piece.sql}", "WHERE", {}, piece)


def _filter(start: str, piece: Piece) -> Stand:
    sql = (
        f"{start}, COUNT(*) FILTER (WHERE {piece.sql}) AS f, COUNT_IF({piece.sql}) AS i,"
        f" SUM(price) FILTER (WHERE {piece.sql}) AS p FROM people"
    )
    return Stand(sql, "FILTER", {"f": Wanted("held", piece), "i": Wanted("held", piece)})


def _join(start: str, rng: random.Random, piece: Piece) -> Stand:
    if rng.random() < 0.5:
        return Stand(
            f"{start} FROM people JOIN visits v ON people.id = v.id AND {piece.sql}", "JOIN ON", {}, piece
        )
    sql = f"{start}, COUNT(v.mark) AS m FROM people LEFT JOIN visits v ON people.id = v.id AND {piece.sql}"
    return Stand(sql, "LEFT JOIN ON", {"m": Wanted("held", piece)})


def _public(piece: Piece) -> Stand:
    name = {"integer": "number", "text": "word", "date": "date"}[piece.kind]
    joined = f"people LEFT JOIN wards w ON w.{name} = {piece.sql}"
    sql = f"SELECT COUNT(row) AS r, COUNT(w.{name}) AS m FROM {joined}"
    return Stand(sql, "public JOIN ON", {})


def _summed(start: str, rng: random.Random, piece: Piece, test: Piece) -> Stand:
    chosen = rng.sample(list(NUMERIC), 2)
    only = test if rng.random() < 0.3 else None
    behind = "" if only is None else f" FILTER (WHERE {test.sql})"
    asked = ", ".join(f"{name.format(piece.sql)}{behind} AS s{index}" for index, name in enumerate(chosen))
    wanted = {f"s{index}": Wanted(NUMERIC[name], piece, only) for index, name in enumerate(chosen)}
    place = " ".join(name.split("(")[0] for name in chosen) + (" FILTER" if only else "")
    return Stand(f"{start}, {asked} FROM people", place, wanted)


def _person(rng: random.Random, piece: Piece) -> Stand:
    name = rng.choice(PER_PERSON)
    inner = f"SELECT id, row, {name}({piece.sql}) AS s FROM people GROUP BY id, row"
    sql = f"SELECT COUNT(row) AS r, SUM(s) AS s FROM ({inner}) AS t"
    if rng.random() < 0.5:
        sql = f"WITH t AS ({inner}) SELECT COUNT(row) AS r, SUM(s) AS s FROM t"
    return Stand(sql, f"{name} per person", {"s": Wanted("sum", piece, slack=1.01)})


def arguments(query: Query, alias: str) -> tuple[list[exp.Expression], Fraction, float]:
    """What the engine works out per row for a column of the answer, its grid, and where it starts."""
    if alias == "k":
        return [query.keys[0].sql], Fraction(1), 0.0
    name = next(part.sql for part in query.outputs if part.name == alias).name
    aggregate = query.aggregates[int(name[1:])]
    if aggregate.quantile is not None:
        quantile = query.quantiles[aggregate.quantile]
        return [quantile.sql], quantile.grid, float(quantile.first)
    mix = aggregate.of[0]
    ends, part = dict(mix), query.primitives[mix[0][0]].part
    base, *others = (index for index, one in enumerate(query.primitives) if one.part == part)
    if not others:  # a number of its own
        return [_argument(query, query.primitives[base].terms[0][0])], query.primitives[base].grid, 0.0
    terms = query.primitives[base].terms
    if len(terms) == 3:  # squares, count and sum: see shared_numbers
        (squares, times), _, (total, twice) = terms
        half = (Fraction(ends.get(base + 2, 0.0)) - Fraction(ends.get(base, 0.0))) / 2
        # A sum counts every row at the centre besides, in all three numbers alike.
        centre = ends.get(base + 1, 0.0) or aggregate.centre
        grid = half / Fraction(abs(twice), 2 * times)
        return [_argument(query, total), _argument(query, squares)], grid, centre
    # The weights of a sum are the bounds, of an average half their distance; both in steps beside the count.
    other = query.primitives[base + 1].terms
    wide = Fraction(terms[1][1] + other[1][1], abs(terms[0][1]))
    grid = (Fraction(ends.get(base + 1, 0.0)) - Fraction(ends.get(base, 0.0))) / wide
    return [_argument(query, terms[0][0])], grid, 0.0


def _argument(query: Query, column: int) -> exp.Expression:
    found = query.columns[column].argument
    assert found is not None
    return found


def problem(wanted: Wanted, row: Row, found: list[Any], grid: Fraction, start: float) -> str | None:
    """What is wrong with what an engine gave for a row, if anything is."""
    piece = wanted.piece
    if piece.off == INF or (wanted.only is not None and wanted.only.off == INF):
        return None
    value = piece.value(row)
    if wanted.role == "held":
        return (
            None
            if (found[0] is not None) == (value is True)
            else f"{found[0]!r} where the condition is {value!r}"
        )
    if wanted.only is not None and wanted.only.value(row) is not True:
        value = None
    if value is None or found[0] is None:
        return None if value is found[0] else f"{found[0]!r} for {value!r}"
    if wanted.role in ("value", "key"):
        held = (
            found[0] * piece.column.grid if wanted.role == "value" and piece.column is not None else found[0]
        )
        same = abs(held - value) <= piece.off if piece.numeric else held == value
        return None if same else f"{found[0]!r} for {value!r}"
    steps, exact = Fraction(found[0]), Fraction(value)
    room = Fraction(piece.off) + grid * Fraction(0.5 + 2e-6 + wanted.slack)
    if wanted.role == "quantile":
        middle = (steps + Fraction(start)) * grid + grid / 2
        return None if abs(middle - exact) <= room else f"step {found[0]} for {value!r}"
    if wanted.role == "spread" and found[1] != found[0] ** 2:
        return f"square {found[1]} of {found[0]}"
    told = steps * grid + Fraction(start)
    room += Fraction(abs(start)) / 2**50
    return None if abs(told - exact) <= room else f"{found[0]} steps of {float(grid)} for {value!r}"
