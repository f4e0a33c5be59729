"""Row expressions are total: on every engine, in every place, for every row that a store can hold."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from sqlglot import exp

from adversary.making import Maker
from adversary.places import arguments, stands
from adversary.running import checked, smallest
from adversary.scene import COLUMNS, DATASET, Scene, opened
from adversary.seeds import seed_of
from shoal.queries.declaration.declaration import Kind
from shoal.queries.sql.planner import plan

EXPRESSIONS = 1_200
KINDS: tuple[Kind, ...] = ("integer", "number", "number", "text", "boolean", "date", "timestamp")
DEPTHS = (1, 1, 2, 2, 2, 3)


@pytest.fixture(scope="module")
def seed() -> str:
    return seed_of("expressions")


@pytest.fixture(scope="module")
def scene(postgres: str, seed: str) -> Iterator[Scene]:
    with opened(postgres, random.Random(seed), number=64) as made:
        yield made


def test_both_stores_hold_what_the_twin_says(scene: Scene) -> None:
    names = ", ".join(f"COUNT({column.name}) AS {column.name}" for column in COLUMNS)
    for store in (scene.duck, scene.uncleaned, scene.postgres):
        query = plan(f"SELECT {names} FROM people", DATASET, store)
        select = query.source.copy()
        for column in COLUMNS:
            select = select.select(
                exp.alias_(arguments(query, column.name)[0][0], column.name, quoted=True), copy=False
            )
        for row in store.run([select])[0].rows(named=True):
            wanted = dict(scene.rows[row["row"]])
            for column in COLUMNS:
                if column.coded and column.kind == "number" and wanted[column.name] is not None:
                    wanted[column.name] = round(wanted[column.name] / float(column.grid))
            assert row == wanted, store.dialect


@dataclass
class Tally:
    """What was drawn, and what came of it."""

    refused: Counter[str] = field(default_factory=Counter)
    names: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def drawn(scene: Scene, seed: str, number: int) -> Tally:
    """So many expressions, each somewhere."""
    rng, tally = random.Random(f"{seed} drawn"), Tally()
    make = Maker(rng)
    for index in range(number):
        piece, test = make.any(rng.choice(KINDS), rng.choice(DEPTHS)), make.any("boolean", 1)
        stand = stands(rng, piece, test)
        ran = checked(stand, scene, whole=index % 8 == 0)
        tally.names.update(set(piece.names))
        tally.places[stand.place] += 1
        if ran.refused is not None:
            tally.refused[ran.refused] += 1
        if ran.problems:
            least = smallest(piece, test, scene)
            tally.wrong.append(f"{stand.sql}\n  smallest: {least.sql}\n  " + "\n  ".join(ran.problems))
            if len(tally.wrong) >= 10:
                break
    return tally


@pytest.mark.slow
def test_no_engine_raises_both_agree_and_both_do_what_the_twin_says(scene: Scene, seed: str) -> None:
    tally = drawn(scene, seed, EXPRESSIONS)
    assert not tally.wrong, f"seed {seed!r}:\n" + "\n".join(tally.wrong)
    assert tally.refused.total() < EXPRESSIONS / 4, tally.refused.most_common(5)
    assert len(tally.names) > 60 and len(tally.places) > 20, (tally.names, tally.places)
