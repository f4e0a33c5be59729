"""Joined tables, populations, columns that stay in the house, and promises that no file can show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Unreachable

AGES = [str(20 + n % 8) for n in range(40)]
HIERARCHIES = {
    "age": "".join(f"{age};{'low' if age < 24 else 'high'};*\n" for age in range(20, 28)),
    "ill": "flu;lungs;*\ncold;lungs;*\ngout;rest;*\n",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    who = [f"p{n // 2:02}" for n in range(40)]
    pl.DataFrame({"who": who, "ill": ["flu", "cold", "gout", "flu"] * 10}).write_csv(tmp_path / "visits.csv")
    pl.DataFrame({"who": sorted(set(who)), "age": AGES[:20]}).write_csv(tmp_path / "people.csv")
    for column, text in HIERARCHIES.items():
        (tmp_path / f"{column}.csv").write_text(text)
    return tmp_path


def asked(place: Path, **more: Any) -> dict[str, Any]:
    hierarchies = {column: str(place / f"{column}.csv") for column in HIERARCHIES}
    return {"quasi": "age", "sensitive": "ill", "hierarchy": hierarchies, **more}


def released(place: Path, **more: Any) -> shoal.Verdict:
    shoal.protect(place / "table.csv", output=place / "out.csv", **asked(place, **more))
    return shoal.verify(place / "out.csv")


def test_joined_tables_count_people_and_keep_the_key_inside(place: Path) -> None:
    more = {"join": [place / "visits.csv"], "person": "who", "output": place / "out.csv"}
    release = shoal.protect(
        place / "people.csv",
        model=["multir-k-anonymity(k=4,person=who)", "k-anonymity(k=4)"],
        **asked(place, **more),
    )
    assert release.rows == 40 and release.table.columns == ["age", "ill"]
    assert release.promises[0].level >= 4
    assert (
        "who" not in (place / "out.csv").read_text()
        and "p01" not in (place / "out.csv.shoal.json").read_text()
    )
    verdict = shoal.verify(place / "out.csv")
    assert verdict.holds and [promise.holds for promise in verdict.promises] == [True, None]
    assert any("cannot be checked from the file" in note for note in verdict.notes)
    assert verdict.to_json()["models"][1]["holds"] is None  # type: ignore[index,call-overload]


@pytest.mark.parametrize("method", ["mondrian", "top-down", "local-recoding", "heuristic"])
def test_people_are_counted_by_every_method_and_without_a_sensitive_column(place: Path, method: str) -> None:
    people = pl.DataFrame({"age": AGES, "who": [str(n // 3) for n in range(40)]})
    ask: dict[str, Any] = {"quasi": "age", "hierarchy": {"age": str(place / "age.csv")}, "method": method}
    release = shoal.protect(people, model="multir-k-anonymity(k=4,person=who)", **ask)
    assert release.promises[0].holds and release.table.columns == ["age"]


def test_with_nothing_else_to_check_a_verdict_is_no_yes(place: Path) -> None:
    shoal.protect(
        place / "people.csv",
        model="multir-k-anonymity(k=2,person=who)",
        **asked(place, join=place / "visits.csv", person="who", output=place / "out.csv"),
    )
    assert not shoal.verify(place / "out.csv").holds


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"join": "visits.csv"}, "name the person key with --person"),
        ({"join": "visits.csv", "person": "age"}, "no column 'age' to join by"),
        ({"join": "people.csv", "person": "who"}, "'age' is in both"),
        ({"join": "visits.csv", "person": "who", "insensitive": "who"}, "must not be released as it is"),
    ],
)
def test_a_join_that_cannot_be_is_refused(place: Path, more: dict[str, Any], message: str) -> None:
    more = {**more, "join": place / more["join"]}
    with pytest.raises(BadParameter, match=message):
        shoal.protect(
            place / "people.csv", model="multir-k-anonymity(k=2,person=who)", **asked(place, **more)
        )


def test_a_population_is_asked_in_protect_and_in_verify(place: Path) -> None:
    people = pl.DataFrame({"age": AGES * 3})
    table = pl.DataFrame({"age": AGES[:20], "ill": ["flu", "cold"] * 10})
    ask = asked(place, model="delta-presence(low=0,high=0.2)", population=people)
    release = shoal.protect(table, output=place / "out.csv", **ask)
    assert release.promises[0].level == pytest.approx(0.2)
    assert shoal.verify(place / "out.csv", population=people, hierarchy=ask["hierarchy"]).holds
    assert not shoal.verify(place / "out.csv", population=people[:60], hierarchy=ask["hierarchy"]).holds
    with pytest.raises(BadParameter, match="give --population"):
        shoal.verify(place / "out.csv")
    with pytest.raises(BadParameter, match="drawn from, with the --hierarchy of each column"):
        shoal.verify(place / "out.csv", population=people[:3])
    with pytest.raises(BadParameter, match="does not contain the table"):
        shoal.protect(table, **{**ask, "population": people[:3]})


def test_noise_is_promised_by_the_record_and_only_for_the_file_it_was_written_for(place: Path) -> None:
    table = pl.DataFrame({"age": AGES, "ill": ["flu", "cold", "gout", "flu"] * 10, "who": AGES})
    table.write_csv(place / "table.csv")
    more = {
        "model": "differential-privacy(epsilon=2)",
        "method": "noisy-counts(levels=age:1)",
        "identifier": "who",
    }
    verdict = released(place, **more)
    assert verdict.holds and verdict.promises[0].level == 2
    assert any("no file can prove it" in note for note in verdict.notes)
    record = json.loads((place / "out.csv.shoal.json").read_text())
    assert set(record["hashes"]) == {"output"}, "a fingerprint of the original is exact"
    assert record["rows"] == record["released"]
    assert not shoal.verify(place / "out.csv", model="differential-privacy(epsilon=1)").holds
    with (place / "out.csv").open("a") as file:
        file.write("low,flu\n")
    assert not shoal.verify(place / "out.csv").holds
    (place / "out.csv.shoal.json").unlink()
    alone = shoal.verify(place / "out.csv", quasi="age", model=more["model"])
    assert not alone.holds and alone.promises[0].holds is None


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"method": "optimal"}, "optimal does not make it; use --method noisy-counts"),
        ({"seed": 3}, "takes no seed"),
        ({"step": "swapping(column=age)"}, "hides one row of the table it is given; leave out --step"),
        ({"hierarchy": {"age": "interval(width=5)"}}, "without looking at the data; give --hierarchy age="),
        # A group that somebody has as a value becomes a leaf: the domain would depend on the data.
        ({"hierarchy": {"age": "parents(file=ages.csv)"}}, "without looking at the data; give --hierarchy"),
    ],
)
def test_a_promise_the_method_cannot_make_is_refused(place: Path, more: dict[str, Any], message: str) -> None:
    table = pl.DataFrame({"age": AGES, "ill": ["flu", "cold"] * 20})
    ask = {"model": "differential-privacy(epsilon=1)", "method": "noisy-counts", **asked(place), **more}
    with pytest.raises(BadParameter, match=message):
        shoal.protect(table, **ask)


@pytest.mark.parametrize(
    ("method", "model", "message"),
    [
        ("noisy-counts(epsilon=1)", "distributional-privacy(alpha=5,beta=0.01)", "or declare people$"),
        ("noisy-counts(epsilon=2)", "differential-privacy(epsilon=1)", "epsilon = 2, .*lower its epsilon"),
        ("retention(rho=0.5)", "d-gamma-privacy(d=0.1,gamma=0.3)", "amplification = 36, .*; lower rho"),
        (
            "sampled-generalisation(beta=0.5,k=2)",
            "differential-privacy(epsilon=1)",
            "delta = 0.25, .*k",
        ),
    ],
)
def test_parameters_that_do_not_suffice_are_refused_and_are_no_defect(
    place: Path, method: str, model: str, message: str
) -> None:
    table = pl.DataFrame({"age": AGES, "ill": ["flu", "cold"] * 20})
    with pytest.raises(Unreachable, match=message):
        shoal.protect(table, method=method, model=model, **asked(place))


def test_nothing_is_said_to_be_kept_that_was_left_out(place: Path) -> None:
    table = pl.DataFrame({"age": AGES, "ill": ["flu", "cold"] * 20, "zip": ["06804", "06940"] * 20})
    ask = asked(place, model="differential-privacy(epsilon=1)", method="noisy-counts")
    notes = shoal.protect(table, **ask).notes
    assert any("left out zip" in note for note in notes) and not any("kept" in note for note in notes)


def test_a_table_with_roles_must_declare_its_domain_too() -> None:
    table = shoal.read_table(
        pl.DataFrame({"age": AGES, "ill": ["flu", "cold"] * 20}), quasi="age", sensitive="ill"
    )
    with pytest.raises(BadParameter, match="without looking at the data"):
        shoal.protect(table, model="differential-privacy(epsilon=1)", method="noisy-counts")


def test_a_guard_is_counted_and_stays_inside(place: Path) -> None:
    table = pl.DataFrame(
        {"age": AGES, "ill": ["flu", "cold", "gout", "gout"] * 10, "g": ["lungs", None] * 20}
    )
    ask = asked(place, model="personalised-privacy(p=0.6,guard=g)")
    release = shoal.protect(table, **ask)
    assert release.promises[0].holds and release.table.columns == ["age", "ill"]
    assert any("removed 'g'" in note for note in release.notes)
    assert shoal.verify(release).holds, "in the house the guards are still there"
