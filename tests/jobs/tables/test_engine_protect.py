"""The same request gives the same release on every engine as on a file, row for row after sorting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from engine_places import Place
from shoal import catalog, protect, verify
from shoal.core.errors import BadTable
from shoal.engines.address import address_of, output_address
from shoal.engines.sql_engine import connect
from shoal.jobs.tables import engine_protect
from shoal.tables.in_engine import distinct_rows
from shoal.tables.in_engine.written_rows import counted_frame
from shoal.tables.model_inputs.text_values import texts


def people(rows: int = 300) -> pl.DataFrame:
    """People with typed columns, missing values and an odd name of a column."""
    chance = np.random.default_rng(3)
    age = chance.integers(18, 60, rows)
    return pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(rows)],
            "age": pl.Series(age).set(pl.Series(age == 33), None),
            "born": [date(1960 + int(at) % 30, 1 + int(at) % 12, 1) for at in age],
            'zi"p': [f"0{at}" if at % 7 else None for at in chance.integers(10, 40, rows)],
            "member": chance.random(rows) < 0.5,
            "ill": chance.choice(["flu", "cold", "", "a,b"], rows),
            "pay": chance.integers(0, 9, rows) / 4,
        }
    )


def sorted_rows(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return sorted(frame.select(texts(each) for each in frame).rows(), key=str)


def rows_at(target: str) -> pl.DataFrame:
    from sqlglot import exp

    address = address_of(target.rstrip("/"))
    assert address is not None
    with connect([address]) as engine:
        return engine.frame(exp.select("*").from_(engine.table(address)))


ROLES: Mapping[str, Any] = {
    "identifier": "name",
    "quasi": ["age", 'zi"p', "member"],
    "sensitive": ["ill"],
    "insensitive": ["pay"],
    "seed": 1,
}


# One request for every method whose rows may stay in an engine; the test below asks whether one is missing.
ASKED: tuple[dict[str, Any], ...] = (
    {"k": 5, "method": "optimal", "suppress": 0.1},
    {"model": ["k-anonymity(k=4)", "l-diversity(l=2)", "t-closeness(t=0.4)"], "method": "heuristic"},
    {"k": 3, "method": "mondrian", "undeclared": "drop"},
    {"k": 4, "method": "local-recoding", "suppress": 0.02},
    {"k": 4, "method": "cell-suppression", "suppress": 0.05},
    {"k": 4, "method": "top-down", "suppress": 0.05},
    {"k": 4, "method": "auto"},
)


def test_every_method_that_needs_no_rows_is_asked_for() -> None:
    parts = {name: catalog.find("method", name) for name in catalog.names("method")}
    wanted = {name for name, part in parts.items() if part.counts_suffice}
    assert {str(more["method"]) for more in ASKED} == wanted


def test_one_request_gives_one_release_everywhere(place: Place, tmp_path: Path) -> None:
    frame = people()
    source = place.put(frame)
    for number, more in enumerate(ASKED):
        here = protect(frame, **ROLES, **more)
        target = place.new()
        there = protect(source, output=target, manifest=tmp_path / f"{number}.json", **ROLES, **more)
        assert sorted_rows(rows_at(target)) == sorted_rows(here.to_polars()), more
        told, wanted = there.to_json(), here.to_json()
        for key in ("rows", "released", "suppressed", "classes", "method", "levels", "models", "decided"):
            assert told[key] == wanted[key], key
        assert told["losses"] == pytest.approx(wanted["losses"])
        assert (tmp_path / f"{number}.json").exists()


def test_verify_reads_the_written_table_inside_the_engine(place: Place, tmp_path: Path) -> None:
    target, record = place.new(), tmp_path / "record.json"
    protect(place.put(people()), k=3, method="mondrian", output=target, manifest=record, **ROLES)
    verdict = verify(target.rstrip("/"), manifest=record)
    assert verdict.holds
    assert [promise.model for promise in verdict.promises] == ["k-anonymity(k=3)"]
    # By the flags alone, a promise that nobody made.
    weak = verify(target.rstrip("/"), quasi=ROLES["quasi"], sensitive="ill", model=["k-anonymity(k=500)"])
    assert not weak.holds


def test_a_record_that_does_not_fit_the_table_is_found_out(place: Place, tmp_path: Path) -> None:
    target, record = place.new(), tmp_path / "record.json"
    protect(place.put(people()), k=3, method="mondrian", output=target, manifest=record, **ROLES)
    other = place.put(rows_at(target).head(100).with_columns(extra=pl.lit("x")))
    names = [promise.name for promise in verify(other, manifest=record).promises if not promise.holds]
    assert {"known-columns", "known-rows"} <= set(names)


def test_a_task_brings_the_columns_here_that_it_looks_at(place: Place, tmp_path: Path) -> None:
    if place.kind == "spark":
        pytest.skip("what is brought here is decided before any engine; Spark is slow to ask")
    frame, file = people(), tmp_path / "queries.csv"
    source = place.put(frame)
    file.write_text("age,member,pay\n20|21,,0.25\n,true,\n", "utf-8")
    for goal in (f"workload({file})", "classifier(column=pay)"):
        asked: dict[str, Any] = {**ROLES, "k": 4, "method": "optimal", "objective": goal}
        here, there = protect(frame, **asked), protect(source, **asked)
        name = goal.partition("(")[0]
        assert there.losses[name] == pytest.approx(here.losses[name]) and there.levels == here.levels


def test_a_column_that_was_rolled_up_goes_out_as_level_1_where_that_is_enough(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.DataFrame({"zip": [f"{10_000 + at}" for at in range(300)], "ill": ["a", "b", "c"] * 100})
    target, record = place.new(), tmp_path / "record.json"
    monkeypatch.setattr(distinct_rows, "MOST", 60)
    there = protect(
        place.put(frame), quasi="zip", sensitive="ill", k=2, seed=1, output=target, manifest=record
    )
    here = protect(frame, quasi="zip", sensitive="ill", k=2, seed=1, levels="zip=1")
    assert there.levels == here.levels == {"zip": 1}
    assert sorted_rows(rows_at(target)) == sorted_rows(here.to_polars())
    assert json.loads(record.read_text())["settings"]["rolled_up"] == ["zip"]


def test_values_that_an_engine_holds_equal_look_alike_in_a_release(place: Place, tmp_path: Path) -> None:
    # -0.0 with other values of `sex`, and with the same.
    pay = [0.0, -0.0, 0.0, 0.0] * 5
    source = place.put(pl.DataFrame({"pay": pay, "sex": ["f", "m", "f", "m"] * 5, "ill": ["a", "b"] * 10}))
    for k in (10, 20):
        target = place.new()
        protect(source, quasi=["pay", "sex"], sensitive="ill", k=k, output=target, manifest=tmp_path / f"{k}")
        assert rows_at(target)["pay"].cast(pl.String).to_list() == ["0.0"] * 20


def test_rows_that_were_exchanged_meanwhile_are_noticed_by_the_sizes_of_groups(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place.kind == "spark":
        pytest.skip("what is compared is the same for all engines; Spark is slow to ask")

    def exchanged(*given: Any) -> tuple[pl.DataFrame, pl.Series]:
        frame, weights = counted_frame(*given)
        # As many rows as before, one of them in another group.
        sizes = weights.to_numpy().copy()
        sizes[[sizes.argmax(), sizes.argmin()]] += [1, -1]
        return frame, pl.Series(sizes)

    monkeypatch.setattr(engine_protect, "counted_frame", exchanged)
    source, target = place.source(people()), place.new()
    with pytest.raises(BadTable, match="changed while it was read"):
        protect(source, k=3, method="mondrian", output=target, manifest=tmp_path / "r", **ROLES)
    new = output_address(target)
    assert new is not None
    with connect([source], new) as engine:
        engine.check_new(new)
    assert not (tmp_path / "r").exists()
