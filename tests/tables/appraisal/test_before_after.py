"""A release beside its original."""

import polars as pl
import pytest

import shoal

ROWS = pl.DataFrame(
    {
        "name": ["Ann", "Bob", "Cem", "Dan", "Eve", "Fay"],
        "age": ["21", "22", "31", "32", "33", "99"],
        "zip": ["101", "102", "101", "102", "101", "201"],
        "ill": ["a", "b", "c", "a", "b", "c"],
    }
)
HIERARCHIES = {"age": "interval(width=10,levels=3)", "zip": "mask()"}


@pytest.fixture
def files(tmp_path: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    ROWS.write_csv("original.csv")


def released(**more: object) -> None:
    asked = {"identifier": "name", "quasi": "age,zip", "sensitive": "ill", "hierarchy": HIERARCHIES, "k": 2}
    shoal.protect("original.csv", output="release.csv", **{**asked, **more})  # type: ignore[call-overload]


@pytest.mark.usefixtures("files")
def test_every_row_stands_beside_its_own_labels() -> None:
    released(levels="age=1,zip=3", suppress=0.2)
    found = shoal.diff("release.csv", "original.csv", hierarchy=HIERARCHIES)
    assert found.columns == ("name", "age", "zip", "ill") and found.kept == (False, True, True, True)
    assert [pair.fate for pair in found.rows] == ["released"] * 5 + ["suppressed"]
    after = shoal.read_table("release.csv").frame
    labels = sorted(after.rows())
    told = sorted(tuple(pair.after[1:]) for pair in found.rows if pair.after is not None)
    assert told == labels  # row by row what the release has, in some order
    assert all(pair.after[0] is None for pair in found.rows if pair.after is not None)


@pytest.mark.usefixtures("files")
def test_distributions_count_both_sides_by_the_labels_of_the_release() -> None:
    released(levels="age=1,zip=3", suppress=0.2)
    found = {
        one.name: one for one in shoal.diff("release.csv", "original.csv", hierarchy=HIERARCHIES).changes
    }
    assert set(found) == {"age", "zip", "ill"}
    assert found["age"].aligned and sum(rows for _, rows in found["age"].before) == 6
    assert sum(rows for _, rows in found["age"].after) == 5
    assert [label for label, _ in found["age"].before] == [label for label, _ in found["age"].after]
    assert (found["age"].changed, found["ill"].changed) == (1.0, 0.0)
    assert found["zip"].kinds_before == 3 and found["zip"].kinds_after == 1


@pytest.mark.usefixtures("files")
def test_groups_and_risk_before_and_after() -> None:
    released(levels="age=1,zip=3", suppress=0.2)
    found = shoal.diff("release.csv", "original.csv", hierarchy=HIERARCHIES)
    assert dict(found.sizes_before.buckets)["1"] == 6 and found.sizes_before.highest == 1.0
    assert dict(found.sizes_after.buckets) == {
        "1": 0, "2": 2, "3–4": 3, "5–9": 0, "10–19": 0, "20–49": 0, "50–99": 0, "100+": 0,
    }  # fmt: skip
    assert found.sizes_after.highest == 0.5 and found.sizes_after.average == 2 / 5


@pytest.mark.usefixtures("files")
def test_groups_with_labels_of_their_own_are_found_by_what_fits() -> None:
    released(method="mondrian")
    found = shoal.diff("release.csv", "original.csv", hierarchy=HIERARCHIES)
    assert {pair.fate for pair in found.rows} <= {"released", "unknown"}
    after = [tuple(row[:2]) for row in shoal.read_table("release.csv").frame.rows()]
    for pair in found.rows:
        assert pair.after is None or tuple(pair.after[1:3]) in after


@pytest.mark.usefixtures("files")
def test_rows_changed_by_chance_are_not_paired() -> None:
    ROWS.with_columns(pl.Series("income", ["1", "2", "3", "4", "5", "6"])).write_csv("original.csv")
    released(step="noise(column=income)", insensitive="income", suppress=0.2)
    found = shoal.diff("release.csv", "original.csv", hierarchy=HIERARCHIES)
    assert found.rows == () and "by chance" in found.notes[0]


@pytest.mark.usefixtures("files")
def test_a_page_of_rows_is_a_part_of_them() -> None:
    released(levels="age=1,zip=3", suppress=0.2)
    whole = shoal.diff("release.csv", "original.csv", hierarchy=HIERARCHIES)
    part = shoal.diff("release.csv", "original.csv", hierarchy=HIERARCHIES, first=2, show=2)
    assert part.rows == whole.rows[2:4] and part.first == 2
    assert "21 → " in part.to_tables()["rows"][1][2] or "31 → " in part.to_tables()["rows"][1][2]
