"""One question with an expression in it on both engines: what they give per row, and what is wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from adversary.pieces import INF, Piece
from adversary.places import Stand, arguments, problem, stands
from adversary.scene import DATASET, Scene
from shoal.core.errors import NotAllowed
from shoal.queries.query import Query
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.store import Store


@dataclass(frozen=True)
class Ran:
    """What came of it."""

    refused: str | None = None
    problems: tuple[str, ...] = ()


def checked(stand: Stand, scene: Scene, whole: bool = True) -> Ran:
    """Both engines asked; with `whole` also for the sums over all rows."""
    queries: list[Query] = []
    for store in scene.stores:
        try:
            queries.append(plan(stand.sql, DATASET, store))
        except NotAllowed as refusal:
            if queries:
                return Ran(problems=(f"{store.dialect} refuses what the other takes: {refusal}",))
            return _refused_alike(stand, scene, str(refusal))
        except Exception as error:
            return Ran(problems=(f"{store.dialect} plan: {type(error).__name__}: {error}",))
    problems: list[str] = []
    sides: list[dict[int, dict[str, list[Any]]]] = []
    for store, query in zip(scene.stores, queries, strict=True):
        try:
            sides.append(_rows(stand, query, store))
        except Exception as error:
            problems.append(f"{store.dialect} raises: {_said(error)}")
            continue
        problems += [f"{store.dialect}: {text}" for text in _wrong(stand, query, sides[-1], scene)]
    if len(sides) == 2:
        problems += _differing(stand, *sides)
        if whole:
            problems += _sums(queries, scene)
    return Ran(problems=tuple(problems))


def _refused_alike(stand: Stand, scene: Scene, text: str) -> Ran:
    try:
        plan(stand.sql, DATASET, scene.postgres)
    except NotAllowed as refusal:
        return (
            Ran(text)
            if str(refusal) == text
            else Ran(problems=(f"refused as {text!r} and as {str(refusal)!r}",))
        )
    return Ran(problems=(f"DuckDB refuses what PostgreSQL takes: {text}",))


def _said(error: BaseException) -> str:
    cause = error.__cause__ or error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    return f"{type(cause).__name__}: {str(cause).strip().splitlines()[0][:200] if str(cause).strip() else ''}"


def _rows(stand: Stand, query: Query, store: Store) -> dict[int, dict[str, list[Any]]]:
    """Per row what is counted, summed or grouped by."""
    select, names = query.source.copy(), ["r", *stand.wanted]
    widths = []
    for name in names:
        parts, _, _ = arguments(query, name)
        widths.append(len(parts))
        for part in parts:
            column = exp.alias_(part.copy(), f"c{len(select.expressions)}", copy=False)
            select = select.select(column, copy=False)
    found = {}
    for line in store.run([select])[0].rows():
        cells, place = {}, 0
        for name, width in zip(names, widths, strict=True):
            cells[name] = list(line[place : place + width])
            place += width
        found[line[0]] = cells
    return found


def _wrong(stand: Stand, query: Query, found: dict[int, dict[str, list[Any]]], scene: Scene) -> list[str]:
    if stand.kept is not None and stand.kept.off != INF:
        there = {row["row"] for row in scene.rows if stand.kept.value(row) is True}
        if there != set(found):
            wrong = sorted(there ^ set(found))[0]
            there_is = "not there" if wrong in there else "there"
            return [f"row {wrong} is {there_is}: {stand.kept.sql} in {scene.rows[wrong]}"]
    problems = []
    for name, wanted in stand.wanted.items():
        _, grid, start = arguments(query, name)
        for number, cells in found.items():
            text = problem(wanted, scene.rows[number], cells[name], grid, start)
            if text is not None:
                problems.append(
                    f"{name} ({wanted.role}) of row {number}: {text}, {scene.rows[number]}"[:1500]
                )
                break
    return problems


def _loose(piece: Piece | None) -> bool:
    return piece is not None and piece.apart


def _differing(stand: Stand, one: dict[int, Any], two: dict[int, Any]) -> list[str]:
    """What one engine gives and the other does not; where last bits may differ no more is known."""
    if _loose(stand.kept):
        return []
    if set(one) != set(two):
        return [f"the engines keep different rows: {sorted(set(one) ^ set(two))[:5]}"]
    exact = [
        name for name, wanted in stand.wanted.items() if not _loose(wanted.piece) and not _loose(wanted.only)
    ]
    for number in one:
        for name in exact:
            if one[number][name] != two[number][name]:
                role = stand.wanted[name].role
                apart = [abs(a - b) if isinstance(a, int) and isinstance(b, int) else 9 for a, b in
                         zip(one[number][name], two[number][name], strict=True)]  # fmt: skip
                if role in ("sum", "mean", "spread") and apart[0] == 1:
                    continue  # a half, rounded up by one and to the even step by the other: within the reach
                both = f"{one[number][name]} in DuckDB, {two[number][name]} in PostgreSQL"
                return [f"{name} of row {number}: {both}"]
    return []


def _sums(queries: list[Query], scene: Scene) -> list[str]:
    """The question as it is run: nobody raises."""
    for store, query in zip(scene.stores, queries, strict=True):
        try:
            store.run(selects(query))
        except Exception as error:
            return [f"{store.dialect} raises for the whole question: {_said(error)}"]
    return []


def smallest(piece: Piece, test: Piece, scene: Scene) -> Piece:
    """The smallest part of a piece that is wrong by itself somewhere."""
    for part in piece.parts:
        if part.parts and checked(stands(random.Random(0), part, test), scene).problems:
            return smallest(part, test, scene)
    return piece
