"""Neighbouring databases look the same: random questions, in the library, on PostgreSQL and over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from adversary import neighbours
from adversary.elsewhere import postgres_shop, postgres_world, served_world, spark_world
from adversary.neighbours import Found, explore
from adversary.outcomes import Outcome, moved
from adversary.seeds import seed_of
from queries.clinic import dataset, store
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

PAIRS = 10_000
pytestmark = [pytest.mark.filterwarnings("ignore::RuntimeWarning"), pytest.mark.slow]


def _held(found: Found) -> None:
    assert not found.differences, "\n\n".join(found.differences[:3])


def test_ten_thousand_pairs_of_neighbours_differ_in_nothing_but_noise() -> None:
    found = explore(seed_of("neighbours"), PAIRS, shapes=16, questions=30)
    _held(found)
    assert found.pairs >= PAIRS and found.refused < found.questions / 4, found.refusals.most_common(5)
    assert len(found.parts) > 60, found.parts


def test_neighbours_on_postgres_differ_in_nothing_but_noise(postgres: str) -> None:
    found, seed = Found(), seed_of("postgres")
    for place in range(2):
        postgres_world(postgres, f"{seed}-{place}", found, shapes=8, questions=10)
    _held(found)
    assert found.pairs > 300


def test_neighbours_on_spark_differ_in_nothing_but_noise(spark: Any, tmp_path: Path) -> None:
    found = Found()
    spark_world(spark, tmp_path, seed_of("spark"), found, shapes=4, questions=6)
    _held(found)
    assert found.pairs > 15


def test_neighbours_in_a_shop_on_postgres_differ_in_nothing_but_noise(postgres: str) -> None:
    found = Found()
    postgres_shop(postgres, seed_of("shop"), found, shapes=5, questions=8)
    _held(found)
    assert found.pairs > 30 and found.parts["linked tables"] == found.questions


def test_a_person_who_is_alone_in_too_many_groups_would_be_noticed() -> None:
    people = store([], [], [])
    query = plan("SELECT town, COUNT(*) FROM people GROUP BY town", dataset(), people)
    one = {"primitive 0": {("Ulm",): 3}}
    assert moved(query, one, {"primitive 0": {("Ulm",): 3, ("Bonn",): 1}}) is None
    lying = replace(query, primitives=(replace(query.primitives[0], reach=2),))
    two = {("Ulm",): 3, ("Bonn",): 1, ("Jena",): 1}
    assert "alone in 2 groups" in (moved(lying, one, {"primitive 0": two}) or "")
    assert "2] steps" in (moved(lying, one, {"primitive 0": {("Ulm",): 3, ("Bonn",): 2}}) or "")


def test_neighbours_behind_a_service_differ_in_nothing_but_noise(tmp_path: Path) -> None:
    found, seed = Found(), seed_of("served")
    for place in range(2):
        served_world(tmp_path / str(place), f"{seed}-{place}", found, shapes=5, questions=12)
    _held(found)
    assert found.pairs > 100


def _broken(
    change: Callable[[DuckStore, list[pl.DataFrame]], list[pl.DataFrame]],
) -> type[neighbours.Watched]:
    class Broken(neighbours.Watched):
        def run(self, *given: object, **named: object) -> list[pl.DataFrame]:
            found = change(self.store, super().run(*given, **named))  # type: ignore[arg-type]
            self.given[-1] = found
            return found

    return Broken


def test_a_store_that_fails_for_one_person_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(store: DuckStore, frames: list[pl.DataFrame]) -> list[pl.DataFrame]:
        if store.run(
            [
                plan("SELECT COUNT(*) FROM people WHERE id = 'P0'", store.dataset, store).source.select(
                    "1 AS x"
                )
            ]
        )[0].height:
            raise ZeroDivisionError
        return frames

    monkeypatch.setattr(neighbours, "Watched", _broken(fails))
    found = explore("broken", 500, shapes=6, questions=10, most=1)
    assert (
        found.differences
        and "sql = " in found.differences[0]
        and "dataset = Dataset(" in found.differences[0]
    )


def test_a_person_who_reaches_too_far_would_be_noticed() -> None:
    stays = [{"id": 1, "ward": ward, "cost": 1.0, "reason": "flu"} for ward in (1, 2, 3)]
    query = plan("SELECT COUNT(*) FROM visits", dataset(), store([], stays, []))
    assert moved(query, {"primitive 0": {(): 0}}, {"primitive 0": {(): 3}}) is None
    assert moved(query, {"primitive 0": {(): 0}}, {"primitive 0": {(): 4}}) is not None
    lying = replace(query, primitives=(replace(query.primitives[0], reach=1),))
    assert moved(lying, {"primitive 0": {(): 0}}, {"primitive 0": {(): 3}}) is not None


def test_fields_that_come_to_be_one_day_are_compared_too() -> None:
    assert Outcome({"seconds": 0.1}).difference(Outcome({"seconds": 0.3})) == "seconds: 0.1 and 0.3"
    assert Outcome({"seconds": 0.1}).difference(Outcome({})) is not None
    assert Outcome({"columns": ["n"]}).difference(Outcome({"columns": ["n"]})) is None
