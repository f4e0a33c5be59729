"""No certainty about people from rows that chance has changed."""

from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.catalog import Catalog
from shoal.jobs import AttackTable
from shoal.jobs.tables.attack import attack_table

PEOPLE = pl.DataFrame(
    {
        "name": [f"p{n}" for n in range(60)],
        "age": [str(20 + n % 3) for n in range(60)],
        "ill": ["flu" if n % 3 else "hiv" for n in range(60)],
        "pay": [str(n) for n in range(60)],
    }
)


def test_a_release_of_noise_makes_nobody_certain(tmp_path: Path) -> None:
    for column in ("age", "ill"):
        values = PEOPLE[column].unique().sort().to_list()
        (tmp_path / f"{column}.csv").write_text("".join(f"{value};*\n" for value in values))
    shoal.protect(
        PEOPLE.select("age", "ill"),
        output=tmp_path / "noisy.csv",
        quasi="age",
        sensitive="ill",
        hierarchy={column: str(tmp_path / f"{column}.csv") for column in ("age", "ill")},
        method="noisy-counts(epsilon=50)",
        model="differential-privacy(epsilon=50)",
    )
    # So little noise that every class still has one value.
    found = shoal.attack(tmp_path / "noisy.csv", "homogeneity")
    assert found.rate.hits and {told["confidence"] for told in found.findings} == {None}
    assert "counts with noise" in str(found.details["certainty"])
    assert "–" in [row[2] for row in found.to_tables()["some of the people hit"]]


def test_a_step_by_chance_is_remembered_too(tmp_path: Path) -> None:
    for step, word in (("swapping(column=ill,share=0.5)", "each other's"), ("sampling(share=0.5)", "sample")):
        shoal.protect(
            PEOPLE.drop("pay"),
            output=tmp_path / "out.csv",
            identifier="name",
            quasi="age",
            sensitive="ill",
            k=2,
            seed=1,
            step=step,
        )
        found = shoal.attack(tmp_path / "out.csv", "homogeneity")
        assert word in str(found.details["certainty"])
        (tmp_path / "out.csv").unlink()


def test_what_no_chance_has_touched_stays_certain(tmp_path: Path) -> None:
    shoal.protect(
        PEOPLE.drop("pay"),
        output=tmp_path / "out.csv",
        identifier="name",
        quasi="age",
        sensitive="ill",
        k=2,
        seed=1,
        method="mondrian",
    )
    found = shoal.attack(tmp_path / "out.csv", "homogeneity")
    assert found.rate.value == 1 and "certainty" not in found.details
    assert {told["confidence"] for told in found.findings} == {1.0}


@pytest.mark.parametrize("kind", ["method", "step"])
def test_every_part_of_the_catalog_is_known_to_leave_rows_as_they_are_or_not(kind: str) -> None:
    parts = [part for part in Catalog.whole().parts if (part.kind, part.noun) == (kind, "table")]
    sure = {
        "method": {
            "auto",
            "cell-suppression",
            "heuristic",
            "local-recoding",
            "mondrian",
            "optimal",
            "top-down",
        },
        "step": {"pseudonyms"},
    }
    assert {part.name for part in parts if not part.cls.chance} == sure[kind]


def test_labels_that_nobody_can_read_are_told() -> None:
    release = pl.DataFrame({"age": ["[20, 30)", "65 and over", "20s", "41", "*"], "ill": list("aabbc")})
    job = AttackTable(
        data=release, attack="homogeneity", quasi=("age",), sensitive=("ill",), target=("age=25", "age=70")
    )
    found = attack_table(job)
    assert found.details["labels_not_understood"] == {"age": ["20s", "65 and over"]}
    assert "some labels could not be read, give --hierarchy for age" in found.cure
    words = release.with_columns(age=pl.Series(["young", "old", "old", "old", "*"]))
    told = attack_table(AttackTable(data=words, attack="homogeneity", quasi=("age",), sensitive=("ill",)))
    assert "labels_not_understood" not in told.details, "nobody's value says what labels should look like"


def test_chance_in_any_of_several_releases_takes_the_certainty_away(tmp_path: Path) -> None:
    for name, step in (("plain", ()), ("swapped", ("swapping(column=ill,share=0.5)",))):
        shoal.protect(
            PEOPLE.drop("pay"), output=tmp_path / f"{name}.csv", identifier="name", quasi="age",
            sensitive="ill", k=2, seed=1, step=step,
        )  # fmt: skip
    plain, swapped = tmp_path / "plain.csv", tmp_path / "swapped.csv"
    for first, second in ((plain, swapped), (swapped, plain)):
        found = shoal.attack(first, "intersection", other=[second])
        assert "each other's" in str(found.details["certainty"])
