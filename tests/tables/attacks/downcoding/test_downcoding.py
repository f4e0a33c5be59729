"""Downcoding."""

import json
from collections import Counter
from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest

from shoal import catalog, verbs
from shoal.core.errors import BadParameter
from shoal.core.outcome import Promise
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.downcoding.downcoding import Downcoding
from shoal.tables.hierarchies import Hierarchy, flat, of_width
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

AGES = [str(age) for age in range(20, 52)]
HIERARCHIES = {
    "age": of_width(AGES, 4, levels=3),
    "zip": Hierarchy.of_levels([[f"{z:02d}" for z in range(16)], [f"a{z // 4}" for z in range(16)]]),
    "sex": flat(["F", "M"]),
}


def hospital(rows: int, seed: int) -> pl.DataFrame:
    chance = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": [str(age) for age in chance.integers(20, 52, rows)],
            "zip": [f"{z:02d}" for z in np.minimum(chance.geometric(0.2, rows) - 1, 15)],
            "sex": ["FM"[sex] for sex in chance.integers(0, 2, rows)],
            "ill": [f"i{code}" for code in chance.integers(0, 4, rows)],
        }
    )


def released(frame: pl.DataFrame, method: str, *models: str) -> Scene:
    table = Table(frame, (), ("age", "zip", "sex"), ("ill",), HIERARCHIES)
    made = [catalog.make("model", model) for model in models]
    release: TableRelease = verbs.protect(table, catalog.make("method", method), made, None)
    told = tuple(Promise(model, None, True, model) for model in models)
    table = release.table.with_hierarchies(HIERARCHIES)
    return Scene(table, original=frame, manifest=Manifest.of(replace(release, promises=told)))


@pytest.mark.parametrize(
    "method", ["mondrian", "mondrian(relaxed=true)", "local-recoding", "cell-suppression"]
)
@pytest.mark.parametrize("models", [["k-anonymity(k=2)"], ["k-anonymity(k=5)"], ["l-diversity(l=2)"]])
def test_what_is_certain_is_always_so(method: str, models: list[str]) -> None:
    """On releases of the real methods, against the truth."""
    for seed in range(2):
        found = Downcoding(confidence=1.0).attack(released(hospital(300, seed), method, *models))
        assert found.rate.hits and found.details["right"] == 1.0
        assert found.details["rows_made_finer_for_certain"] == found.rate.hits


@pytest.mark.parametrize("models", [["k-anonymity(k=2)"], ["k-anonymity(k=4)"]])
def test_what_is_likely_is_mostly_so(models: list[str]) -> None:
    right = []
    for seed in range(4):
        case = replace(released(hospital(300, seed), "mondrian", *models), control=hospital(300, 99))
        right.append(Downcoding().attack(case).details["right"])
    assert np.mean(right) > 0.95  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["optimal", "top-down"])
def test_columns_that_are_treated_alike_give_nothing_away(method: str) -> None:
    case = replace(released(hospital(300, 1), method, "k-anonymity(k=3)"), control=hospital(300, 99))
    found = Downcoding().attack(case)
    assert found.rate.hits == 0 and "nothing to cure" in found.cure
    assert found.baseline > 0  # the rare ends of zip are guessed by anybody


def test_one_level_for_all_classes_stops_it() -> None:
    case = released(hospital(300, 1), "mondrian", "k-anonymity(k=3)")
    found = with_cure_checked(Downcoding().attack(case), Downcoding(), case)
    assert found.rate.hits and found.cured is not None and found.cured.rate.hits == 0
    assert Downcoding().remedied(released(hospital(60, 1), "optimal", "k-anonymity(k=2)"))[0] is None


def small(labels: list[str], hierarchy: Hierarchy, method: str, *models: str) -> Scene:
    table = Table(pl.DataFrame({"q": labels}), (), ("q",), (), {"q": hierarchy})
    told = tuple(Promise(model, None, True, model) for model in models)
    release = TableRelease(table, len(labels), method, {}, {}, 1, promises=told)
    return Scene(table, manifest=Manifest.of(release), shown=0)


def told(case: Scene, confidence: float = 1.0) -> dict[str, str]:
    found = Downcoding(confidence=confidence).attack(case)
    return {each["learned"]["q"]: each["learned"]["rows"] for each in found.findings}  # type: ignore[index, call-overload, misc]


def test_two_rows_under_a_label_of_two_values_are_one_of_each() -> None:
    hierarchy = Hierarchy.of_levels([["a1", "a2", "b1"], ["A", "A", "B"]])
    assert told(small(["A", "A"], hierarchy, "mondrian", "k-anonymity(k=2)")) == {
        "a1": "1 of 2",
        "a2": "1 of 2",
    }
    assert told(small(["A", "A"], hierarchy, "optimal", "k-anonymity(k=2)")) == {}
    assert told(small(["*", "*"], hierarchy, "local-recoding", "k-anonymity(k=2)")) == {
        "A": "1 of 2",
        "B": "1 of 2",
    }


@pytest.mark.parametrize("rows", [4, 5, 6])
@pytest.mark.parametrize(
    "hierarchy",
    [
        flat(["a", "b", "c"]),
        Hierarchy.of_levels([["1", "2", "5"]]),
        Hierarchy.of_levels([list("abcd"), list("AABB")]),
    ],
    ids=["names", "numbers", "branches"],
)
def test_all_tables_that_the_real_method_turns_into_this_release_agree(
    hierarchy: Hierarchy, rows: int
) -> None:
    """Every table of some rows goes through Mondrian; those that come out as one class tell what is sure."""
    k = 2
    leaves = [str(leaf) for leaf in hierarchy.leaves]
    possible: dict[str, list[Counter[str]]] = {}
    for counts in product(range(rows + 1), repeat=len(leaves)):
        if sum(counts) != rows:
            continue
        values = [leaf for leaf, count in zip(leaves, counts, strict=True) for _ in range(count)]
        table = Table(pl.DataFrame({"q": values}), (), ("q",), (), {"q": hierarchy})
        release: TableRelease = verbs.protect(
            table, catalog.make("method", "mondrian"), [catalog.make("model", f"k-anonymity(k={k})")], None
        )
        labels = set(release.table.frame["q"].to_list())
        if len(labels) == 1 and not labels & set(leaves):
            possible.setdefault(labels.pop(), []).append(Counter(values))
    assert possible
    for label, tables in possible.items():
        found = told(small([label] * rows, hierarchy, "mondrian", f"k-anonymity(k={k})"))
        parts = {leaf: leaf for leaf in leaves}
        if label == "*" and hierarchy.height > 1:
            parts = {leaf: str(hierarchy.label(leaf, 1)) for leaf in leaves}
        least = {
            part: min(sum(n for leaf, n in table.items() if parts[leaf] == part) for table in tables)
            for part in set(parts.values())
        }
        assert found == {part: f"{number} of {rows}" for part, number in least.items() if number}


def test_how_sure_it_is_agrees_with_all_tables() -> None:
    """Ten rows, k = 3, a is common: all tables that come out as one class, by how common they are."""
    hierarchy, share, rows = flat(["a", "b", "c"]), {"a": 0.8, "b": 0.1, "c": 0.1}, 10
    chance: Counter[int] = Counter()
    for counts in product(range(rows + 1), repeat=3):
        if sum(counts) != rows:
            continue
        values = [leaf for leaf, count in zip("abc", counts, strict=True) for _ in range(count)]
        table = Table(pl.DataFrame({"q": values}), (), ("q",), (), {"q": hierarchy})
        release: TableRelease = verbs.protect(
            table, catalog.make("method", "mondrian"), [catalog.make("model", "k-anonymity(k=3)")], None
        )
        if set(release.table.frame["q"].to_list()) == {"*"}:
            weight = float(np.prod([share[leaf] ** count for leaf, count in zip("abc", counts, strict=True)]))
            ways = np.prod([float(factor) for factor in range(1, rows + 1)])
            for count in counts:
                ways /= np.prod([float(factor) for factor in range(1, count + 1)])
            chance[counts[0]] += weight * ways  # type: ignore[assignment]
    case = small(["*"] * rows, hierarchy, "mondrian", "k-anonymity(k=3)")
    population = pl.DataFrame({"q": ["a"] * 799 + ["b"] * 99 + ["c"] * 99})
    found = Downcoding(confidence=0.95).attack(replace(case, control=population))
    whole = sum(chance.values())
    (only,) = found.findings
    assert only["learned"] == {"q": "a", "rows": "8 of 10"}
    assert only["confidence"] == pytest.approx(sum(n for count, n in chance.items() if count >= 8) / whole)
    assert only["confidence"] > 0.99  # type: ignore[operator]


def test_labels_that_nobody_can_take_apart_are_not_called_safe() -> None:
    bare = small(["*", "*"], flat(["a", "b"]), "mondrian", "k-anonymity(k=2)")
    with pytest.raises(BadParameter, match="cannot take apart the labels of q without their hierarchies"):
        Downcoding().attack(replace(bare, table=bare.table.with_hierarchies({})))
    alike = small(["*", "*"], flat(["a", "b"]), "optimal", "k-anonymity(k=2)")
    assert Downcoding().attack(replace(alike, table=alike.table.with_hierarchies({}))).rate.hits == 0
    frame = bare.table.frame.with_columns(r=pl.Series(["[1, 2]", "[1, 2]"]))
    more = Table(frame, (), ("q", "r"), (), {"r": of_width(["1", "2"], 2)})
    found = Downcoding().attack(replace(bare, table=more))
    assert found.rate.hits == 2 and found.details["passed_over_without_hierarchy"] == ["q"]
    none = Table(frame.with_columns(r=pl.lit("1")), (), ("q", "r"), (), {"r": of_width(["1", "2"], 2)})
    with pytest.raises(BadParameter, match="labels of q without"):
        Downcoding().attack(replace(bare, table=none))


def test_odd_releases_are_no_trouble() -> None:
    hierarchy = flat(["a", "b"])
    one = Downcoding().attack(small(["a"], hierarchy, "mondrian", "k-anonymity(k=1)"))
    assert one.rate.hits == 0 and json.dumps(one.to_json(), allow_nan=False)
    bare = small(["*", "*"], hierarchy, "mondrian", "k-anonymity(k=2)")
    # A label that says there are two values, and a row that cannot have both: no world is left.
    assert Downcoding().attack(small(["*"], hierarchy, "mondrian", "k-anonymity(k=2)")).rate.hits == 0
    strange = small(["somewhere"] * 2, hierarchy, "mondrian", "k-anonymity(k=2)")
    assert Downcoding().attack(strange).rate.hits == 0
    lacking = replace(bare, original=pl.DataFrame({"other": ["a"]}))
    assert "right" not in Downcoding().attack(lacking).details
    with pytest.raises(BadParameter, match=r"not 0\.4"):
        Downcoding(confidence=0.4)


def test_one_released_column_that_determines_another_gives_it_away_without_any_manifest() -> None:
    code = np.random.default_rng(3).integers(0, 6, 300)
    staff = pl.DataFrame(
        {
            "PositionID": code.astype(str),
            "Position": np.array(list("abcdef"))[code],
            "pay": [str(row % 7) for row in range(300)],
        }
    )
    release = Table(staff.with_columns(Position=pl.lit("*")), quasi=("Position",), sensitive=("pay",))
    found = Downcoding().attack(Scene(release, original=staff))
    assert found.rate.hits == found.rate.targets == 300
    assert "PositionID gives away Position: leave out PositionID" in found.cure
    assert found.findings[0]["learned"].keys() == {"Position"}  # type: ignore[union-attr]
    cured = with_cure_checked(found, Downcoding(), Scene(release, original=staff)).cured
    assert cured is not None and cured.rate.hits == 0 and cured.how == "without PositionID"
    with pytest.raises(
        BadParameter, match=r"keep its manifest \(.shoal.json\) beside it, or give --original"
    ):
        Downcoding().attack(Scene(release))
