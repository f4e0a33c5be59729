"""Comparisons from the request to the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter, Unreachable
from shoal.jobs import CompareTable, run
from shoal.jobs.tables.compare import write_curve
from shoal.tables.appraisal.tradeoff import TradeOff
from shoal.tables.table import Table
from tables.pairs import people

ROLES: dict[str, Any] = {"quasi": "age,sex", "sensitive": "ill", "seed": 1}


def compared(frame: pl.DataFrame | None = None, **options: Any) -> TradeOff:
    return shoal.compare(people(200) if frame is None else frame, **{**ROLES, **options})


def test_every_setting_is_what_protect_makes_of_it() -> None:
    found = compared(k=[2, 5], method=["optimal", "mondrian"])
    assert len(found.points) == 4
    for point in found.points:
        asked = {**ROLES, "method": point.method, "suppress": point.suppress, "k": int(point.label[2:])}
        release = shoal.protect(people(200), **asked)
        assert point.losses == release.losses and point.released == release.released
        assert point.promises == release.promises
        assert point.risk == pytest.approx(1 / release.seen().sizes.min())
    assert found.front and all(point.utility == point.losses["loss"] for point in found.points)


def test_without_a_word_it_compares_what_protect_would_make_and_says_so() -> None:
    found = compared(k="5")
    (point,) = found.points
    release = shoal.protect(people(200), k=5, **ROLES)
    assert (point.method, point.suppress, point.losses) == ("auto", 0.05, release.losses)
    assert found.notes[0] == "up to 5 % of the rows may be left out in every setting (--suppress)"
    assert not any("left out in every" in note for note in compared(k="5", suppress="0,0.05").notes)


def test_what_cannot_be_reached_stays_in_the_grid_with_its_reason() -> None:
    found = compared(model="l-diversity(l={2,3})")
    assert [point.reached for point in found.points] == [True, False]  # there are two diagnoses
    assert found.points[1].reason and found.points[1].utility is None and not found.points[1].front
    too_large = compared(k="2,900")
    assert "k=900 is larger than the table" in (too_large.points[1].reason or "")


def test_when_nothing_can_be_reached_the_first_reason_is_told() -> None:
    with pytest.raises(Unreachable, match="none of the 2 settings"):
        compared(model="l-diversity(l={3,4})")
    with pytest.raises(BadParameter, match="no column 'zipp'"):
        compared(k="2,5", quasi="zipp")


@pytest.mark.parametrize("utility", ["workload-error", "information-gain", "classifier-accuracy"])
def test_usefulness_is_an_axis_too(utility: str) -> None:
    found = compared(k="2,20", class_column="ill", utility=utility)
    assert all(point.utility is not None for point in found.points)
    about = found.points[0].usefulness
    assert about is not None and about.of_class is not None and about.of_class.column == "ill"


def test_an_attack_is_a_risk() -> None:
    found = compared(k="1,2", risk="linkage")
    rates = [point.risk for point in found.points]
    assert rates[1] == 0.0 and found.risk.title == "share of people hit by linkage"


def test_rows_made_of_noise_have_no_risk_by_class_size(tmp_path: Path) -> None:
    lines = {
        "age": [f"{age},{age // 10}x" for age in range(20, 60)],
        "sex": ["F", "M"],
        "ill": ["flu", "gout"],
    }
    for name, text in lines.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(text) + "\n", "utf-8")
    found = compared(
        model="differential-privacy(epsilon={1,2})",
        method="noisy-counts(levels=age:1)",
        hierarchy={name: str(tmp_path / f"{name}.csv") for name in lines},
        seed=None,
    )
    assert all(point.reached and point.risk is None for point in found.points)
    assert all(point.usefulness is not None for point in found.points)
    assert found.front == [] and found.to_json()["front"] == []
    with pytest.raises(BadParameter, match="nothing to draw"):
        write_curve(found, tmp_path / "curve.svg")
    assert not (tmp_path / "curve.svg").exists()


@pytest.mark.parametrize("name", ["curve.svg", "curve.png", "curve.html", "curve.json", "CURVE.SVG"])
def test_the_curve_is_written_by_its_extension(name: str, tmp_path: Path) -> None:
    output = tmp_path / name
    found = compared(k="2,5", output=output)
    data = output.read_bytes()
    if name.endswith("json"):
        assert json.loads(data) == json.loads(json.dumps(found.to_json()))
    else:
        begins = {"svg": b"<svg", "png": b"\x89PNG", "html": b"<!DOCTYPE html>"}[name[-4:].strip(".").lower()]
        assert data.lstrip().lower().startswith(begins.lower())
    assert list(tmp_path.iterdir()) == [output]


def test_a_page_needs_no_network(tmp_path: Path) -> None:
    compared(k="2,5", output=tmp_path / "curve.html")
    text = (tmp_path / "curve.html").read_text("utf-8")
    assert 'src="http' not in text and "k=5" in text


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"output": "curve.gif"}, "unknown extension"),
        ({"output": "-"}, "--json prints the comparison"),
        ({"output": "no/such/folder/curve.svg"}, "no folder"),
        ({"risk": "magic"}, "no risk 'magic': choose prosecutor-highest"),
        ({"utility": "magic"}, "no utility 'magic'; choose loss"),
        ({"utility": "classifier-accuracy"}, "name its column with --class-column"),
        ({"class_column": "age"}, "'age' is quasi"),
        ({"class_column": "nix"}, "no class column 'nix'"),
        ({"model": "no-such-model"}, "no model 'no-such-model'"),
        ({"method": "no-such-method"}, "no method 'no-such-method'"),
    ],
)
def test_bad_requests_are_refused_before_any_work(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        compared(k=2, **options)


def test_progress_is_told_and_a_table_with_roles_needs_no_more() -> None:
    told: list[tuple[int, int, str]] = []
    table = Table(people(100), (), ("age", "sex"), ("ill",))
    shoal.compare(table, k=[2, 3], follow=lambda *state: told.append(state))
    assert told == [(0, 2, "k=2"), (1, 2, "k=3")]


def test_the_request_is_carried_out_like_any_other() -> None:
    found = run(CompareTable(data=people(100), k=2, quasi=("age", "sex"), sensitive=("ill",)))
    assert isinstance(found, TradeOff)


def test_the_input_is_left_alone_and_a_seed_repeats() -> None:
    frame = people(150)
    one, other = compared(frame, k="2,5"), compared(frame, k="2,5")
    assert frame.equals(people(150))
    assert [point.utility for point in one.points] == [point.utility for point in other.points]
    assert [p.usefulness for p in one.points] == [p.usefulness for p in other.points]
