"""The background knowledge attack."""

import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.background.background import Background
from shoal.tables.table import Table
from tables.builders import Case, cases

TABLE = Table(
    pl.DataFrame(
        {
            "zip": ["1*"] * 3 + ["2*"] * 4 + ["3*"] * 2,
            "ill": ["flu", "flu", "cold", "flu", "cold", "gout", "gout", "flu", "flu"],
        }
    ),
    quasi=("zip",),
    sensitive=("ill",),
)


def test_what_is_left_after_exclusion_is_learned() -> None:
    found = Background(excluded=("flu",)).attack(Scene(TABLE))
    assert (found.rate.hits, found.rate.targets) == (3, 9)
    assert dict(found.findings[0]) == {
        "who": {"zip": "1*"},
        "learned": {"ill": "cold"},
        "confidence": 1.0,
        "before": pytest.approx(1 / 3),
        "people": 3,
    }
    # Without flu the whole table has two colds and two gouts.
    assert found.baseline == 0.5 and found.remedy == "l-diversity(l=3)"


def test_who_was_known_before_is_no_hit_and_a_contradiction_is_said() -> None:
    found = Background(excluded=("cold",)).attack(Scene(TABLE))
    assert found.rate.hits == 3, "the first class; of the third everything was known"
    assert found.details["people_known_without_the_knowledge"] == 2
    assert found.details["people_whose_rows_contradict_the_knowledge"] == 0
    found = Background(excluded=("flu",)).attack(Scene(TABLE))
    assert found.details["people_whose_rows_contradict_the_knowledge"] == 2
    everything = Background(excluded=("flu", "cold", "gout")).attack(Scene(TABLE))
    assert everything.rate.hits == 0 and everything.baseline == 0
    assert everything.details["people_whose_rows_contradict_the_knowledge"] == 9


def test_an_unlikely_value_counts_less() -> None:
    found = Background(unlikely=("flu",), factor=0.1, confidence=0.8).attack(Scene(TABLE))
    # 2 · 0.1 against 1: the cold has 1 / 1.2.
    assert found.rate.hits == 3 and found.findings[0]["confidence"] == pytest.approx(1 / 1.2)
    assert Background(unlikely=("flu",), factor=0.2, confidence=0.8).attack(Scene(TABLE)).rate.hits == 0


def test_a_file_tells_what_is_known_of_whom(tmp_path: Path) -> None:
    file = tmp_path / "known.csv"
    file.write_text("sex,ill,weight\nF,flu,0\n")
    people = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["11", "11"], "sex": ["F", "M"]})
    found = Background(file=str(file)).attack(Scene(TABLE, external=people))
    # The release has no sex at all; the list has.
    assert [told["who"] for told in found.findings] == [{"name": "Ann", "sex": "F"}]
    assert found.baseline == pytest.approx((2 / 4 + 5 / 9) / 2)
    file.write_text("zip,ill,weight\n1*,flu,0\n,cold,0\n")
    found = Background(file=str(file)).attack(Scene(TABLE))
    assert found.details["people_whose_rows_contradict_the_knowledge"] == 3 and found.rate.hits == 0
    file.write_text("ill,weight\nmumps,0\n")
    with pytest.raises(
        BadParameter, match=r"known.csv speaks of no value of 'ill'; there is cold, flu, gout"
    ):
        Background(file=str(file)).attack(Scene(TABLE))


def test_knowledge_about_one_of_several_columns_leaves_the_others_alone(tmp_path: Path) -> None:
    file = tmp_path / "known.csv"
    file.write_text("ill,weight\nflu,0\n")
    frame = TABLE.frame.with_columns(pay=pl.Series(["flu", "b", "c"] * 3))
    table = Table(frame, (), ("zip",), ("ill", "pay"))
    assert Background(file=str(file)).attack(Scene(table)).rate.hits == 3
    assert (
        Background(file=str(file), column="ill").attack(Scene(table)).remedy == "l-diversity(l=3,column=ill)"
    )
    with pytest.raises(BadParameter, match="it needs one sensitive column"):
        Background(file=str(file), column="pay").attack(Scene(table))


def test_no_diversity_helps_when_one_value_is_left_of_all() -> None:
    table = TABLE.with_frame(TABLE.frame.filter(pl.col("ill") != "gout"))
    found = Background(excluded=("flu",)).attack(Scene(table))
    assert found.rate.hits == 5 and found.remedy is None and "leave out the column" in found.cure


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Background(), r"needs knowledge; write background\(excluded=Flu\|Cancer\)"),
        (lambda: Background(excluded=("flu",), factor=1.0), "factor between 0 and 1, not 1"),
        (lambda: Background(excluded=("flu",), factor=0.0), "factor between 0 and 1, not 0"),
        (lambda: Background(excluded=("flu",), unlikely=("flu",)), "'flu' excluded and unlikely; keep one"),
        (lambda: Background(excluded=("flu",), confidence=0.0), "confidence above 0"),
        (lambda: Background(excluded=("Flu",)).attack(Scene(TABLE)), "nobody has it in 'ill'; there is cold"),
    ],
)
def test_what_makes_no_sense_is_refused(made: object, said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        made()  # type: ignore[operator]


def test_after_the_cure_a_value_that_is_gone_is_no_misspelling() -> None:
    found = Background(excluded=("mumps", "flu")).attack(Scene(TABLE, readable=True))
    assert found.rate.hits == 3


WEIGHTS = st.sampled_from([0.0, 0.05, 0.5, 1.0, 3.0])


@given(cases(sensitive=(1, 1), columns=(1, 2)), st.data(), st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_as_a_person_with_a_pencil_would_count_and_the_cure_is_one(
    case: Case, data: st.DataObject, confidence: float
) -> None:
    values = sorted({row[0] for row in case.sensitive if row[0]})
    if not values:
        return
    weights = {value: data.draw(WEIGHTS, label=value) for value in values}
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("s0,weight\n" + "".join(f'"{value}",{weight}\n' for value, weight in weights.items()))
        file.flush()
        attack = Background(file=file.name, confidence=confidence)
        scene = Scene(case.table())
        found = with_cure_checked(attack.attack(scene), attack, scene)
    classes: dict[object, list[str | None]] = {}
    for quasi, (ill,) in zip(case.quasi, case.sensitive, strict=True):
        classes.setdefault(quasi, []).append(ill)
    hits = against = 0
    for rows in classes.values():
        mass = {value: rows.count(value) * weights.get(value or "", 1.0) for value in set(rows)}
        total = sum(mass.values())
        against += len(rows) if total == 0 else 0
        hits += len(rows) * any(
            total and mass[value] / total >= confidence - 1e-9 > rows.count(value) / len(rows)
            for value in mass
        )
    assert found.rate.hits == hits
    assert found.details["people_whose_rows_contradict_the_knowledge"] == against
    assert found.cured is None or found.cured.rate.hits == 0
