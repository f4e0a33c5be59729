"""Nothing goes out that nobody decided on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal.core.errors import BadParameter
from shoal.tables.manifest import Manifest, beside

COURT = pl.DataFrame(
    {
        "first": [f"Ann{row}" for row in range(30)],
        "last": ["Abbot", "Byrne", "Cohen"] * 10,
        "dob": [f"19{50 + row}-01-02" for row in range(30)],
        "sex": ["F", "M"] * 15,
        "age": [str(20 + row % 3) for row in range(30)],
        "score": [str(row % 10) for row in range(30)],
    }
)
ASKED: dict[str, Any] = {"quasi": "sex,age", "k": 5, "seed": 1}


def test_a_column_nobody_gave_a_role_is_left_out_and_listed() -> None:
    release = shoal.protect(COURT, sensitive="score", **ASKED)
    assert set(release.table.columns) == {"sex", "age", "score"}
    assert release.to_json()["undeclared"] == ["first", "last", "dob"]
    assert any("left out first,last,dob" in note for note in release.notes)
    assert "first, last, dob" in dict(release.to_tables()["release"])["columns without a role"]


def test_refuse_names_all_of_them_at_once_and_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="no role for first,last,dob,score;"):
        shoal.protect(COURT, output=tmp_path / "out.csv", undeclared="refuse", **ASKED)
    assert not list(tmp_path.iterdir())
    spoken = shoal.protect(
        COURT, identifier="first,last,dob", insensitive="score", undeclared="refuse", **ASKED
    )
    assert spoken.to_json()["undeclared"] == []


def test_keep_is_the_old_way_and_the_manifest_says_so(tmp_path: Path) -> None:
    release = shoal.protect(COURT, output=tmp_path / "out.csv", undeclared="keep", **ASKED)
    # What looks like a name or a number of one person's own does not go out even then.
    assert not {"first", "last"} & set(release.table.columns)
    assert {"dob", "score"} <= set(release.table.columns)
    told = json.loads(beside(tmp_path / "out.csv").read_text("utf-8"))["decisions"]
    assert told["undeclared"] == "keep"
    assert "dob" in told["kept"]
    assert "had no role and were released unchanged all the same" in told["words"]


def test_the_manifest_says_who_decided_about_every_column(tmp_path: Path) -> None:
    job = {**ASKED, "insensitive": "score", "decided": {"sex": "project file"}}
    shoal.protect(COURT, output=tmp_path / "out.csv", **job)
    manifest = Manifest.read(beside(tmp_path / "out.csv"))
    assert manifest.decisions is not None
    assert manifest.decisions.by == {
        **dict.fromkeys(["first", "last", "dob"], "nobody"),
        "sex": "project file",
        "age": "flags",
        "score": "flags",
    }
    assert manifest.identifier == ()


def test_a_class_column_without_a_role_steers_the_search_and_stays_inside(tmp_path: Path) -> None:
    for method in ("auto", "top-down"):
        release = shoal.protect(
            COURT, output=tmp_path / "out.csv", class_column="score", method=method, **ASKED
        )
        assert release.table.columns == ["sex", "age"]
        assert "score" in release.decisions.left_out
        assert Manifest.read(beside(tmp_path / "out.csv")).identifier == ()


def test_a_step_on_a_column_is_no_decision_to_release_it() -> None:
    with pytest.raises(
        BadParameter, match="the step noise changes 'score', which has no role; say --sensitive"
    ):
        shoal.protect(COURT, step="noise(column=score)", quasi="sex,age", k=5)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(BadParameter, match="--undeclared is drop, refuse or keep, not 'maybe'"):
        shoal.protect(COURT, undeclared="maybe", **ASKED)


def test_what_was_decided_once_stays_decided_when_a_release_is_protected_again() -> None:
    once = shoal.protect(COURT, insensitive="score", **ASKED)
    again = shoal.protect(once, **ASKED)
    assert "score" in again.table.columns


NAMES = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=8, unique=True), st.data())
def test_no_column_without_a_role_is_in_the_output_whatever_the_header(names: list[str], data: Any) -> None:
    frame = pl.DataFrame(
        {name: [str((row + place) % 2) for row in range(12)] for place, name in enumerate(names)}
    )
    quasi = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    rest = [name for name in names if name not in quasi]
    kept = data.draw(st.lists(st.sampled_from(rest), unique=True)) if rest else []
    release = shoal.protect(frame, quasi=quasi, insensitive=kept, k=2, method="mondrian")
    assert set(release.table.columns) == {*quasi, *kept}
    assert set(release.decisions.left_out) == set(rest) - set(kept)
