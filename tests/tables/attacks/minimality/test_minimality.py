"""The minimality attack."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal import catalog, verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.outcome import Finding, Promise
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.minimality.minimality import Minimality
from shoal.tables.hierarchies import Hierarchy, flat, of_width, suggest
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

HIERARCHY = Hierarchy.of_levels([["q1", "q2", "r1", "r2"], ["Q", "Q", "R", "R"]])


def scene(
    labels: list[str],
    ills: Sequence[str | None],
    people: list[str],
    *models: str,
    method: str = "optimal",
    level: int | None = 1,
) -> Scene:
    frame = pl.DataFrame({"q": labels, "ill": ills}, schema={"q": pl.String, "ill": pl.String})
    table = Table(frame, (), ("q",), ("ill",), {"q": HIERARCHY})
    told = tuple(Promise(model, None, None, model) for model in models)
    levels = None if level is None else {"q": level}
    release = TableRelease(table, len(labels), method, {}, {}, 1, levels=levels, promises=told)
    listed = pl.DataFrame({"name": [f"p{number}" for number in range(len(people))], "q": people})
    return Scene(table, external=listed, manifest=Manifest.of(release), shown=0)


def confidence(found: Finding) -> dict[str, float]:
    return {told["who"]["name"]: told["confidence"] for told in found.findings}  # type: ignore[index, call-overload, misc]


def exact(
    classes: list[tuple[list[str], list[str]]], limit: float, k: int
) -> tuple[list[dict[tuple[str, str], float]], bool]:
    """Every world one by one: per class and look the chance of each value; and whether there is any."""
    worlds = [list(set(permutations(values))) for _, values in classes]
    chances: list[dict[tuple[str, str], float]] = [{} for _ in classes]
    left = 0
    for world in product(*worlds):
        stopped = False
        for (people, _), values in zip(classes, world, strict=True):
            for look in set(people):
                own = [value for who, value in zip(people, values, strict=True) if who == look]
                share = max(own.count(value) / len(own) for value in own)
                stopped |= share > limit + 1e-12 or len(own) < k
        if not stopped:
            continue
        left += 1
        for place, ((people, _), values) in enumerate(zip(classes, world, strict=True)):
            for who, value in zip(people, values, strict=True):
                key = (who, value)
                chances[place][key] = chances[place].get(key, 0.0) + 1 / people.count(who)
    return [{key: found / max(left, 1) for key, found in each.items()} for each in chances], left > 0


@st.composite
def two_classes(draw: st.DrawFn) -> list[tuple[list[str], list[str]]]:
    found = []
    for looks in (["q1", "q2"], ["r1", "r2"]):
        people = looks * draw(st.integers(1, 2)) + draw(st.lists(st.sampled_from(looks), max_size=1))
        values = draw(st.lists(st.sampled_from("xyz"), min_size=len(people), max_size=len(people)))
        found.append((sorted(people), values))
    return found


@settings(max_examples=60, deadline=None)
@given(two_classes(), st.sampled_from(["optimal", "top-down"]))
def test_no_world_is_forgotten_and_nothing_is_claimed_too_much(
    classes: list[tuple[list[str], list[str]]], method: str
) -> None:
    """Against all worlds, one by one: what is told is at most what is so."""
    limit = 0.5
    labels = [name for name, (people, _) in zip("QR", classes, strict=True) for _ in people]
    found = Minimality().attack(
        scene(
            labels,
            [value for _, values in classes for value in values],
            [who for people, _ in classes for who in people],
            f"confidence-bounding(h={limit})",
            method=method,
        )
    )
    # With optimal any class may be to blame; with top-down each label is made finer by itself.
    apart = [exact([each], limit, 1)[0][0] for each in classes]
    chances = exact(classes, limit, 1)[0] if method == "optimal" else apart
    people = [who for listed, _ in classes for who in listed]
    every = {key: chance for each in chances for key, chance in each.items()}
    for told in found.findings:
        who = people[int(told["who"]["name"][1:])]  # type: ignore[index, call-overload, arg-type]
        value = told["learned"]["ill"]  # type: ignore[index, call-overload]
        assert told["confidence"] <= every[who, value] + 1e-9  # type: ignore[operator, index]
        assert told["confidence"] > limit  # type: ignore[operator]


def test_one_value_to_blame_is_told_exactly() -> None:
    people, values = ["q1"] * 3 + ["q2"] * 6, ["x"] * 3 + ["n"] * 6
    found = Minimality().attack(scene(["Q"] * 9, values, people, "confidence-bounding(h=0.5,values=x)"))
    # x is too frequent with two or three of q1: 3·6 + 1 = 19 worlds, in which 39 of 57 have it.
    assert confidence(found) == pytest.approx(dict.fromkeys(["p0", "p1", "p2"], 39 / 57))


def test_the_blame_is_shared_when_a_whole_column_would_have_become_finer() -> None:
    people = (["q1"] * 2 + ["q2"] * 5) + (["r1"] * 2 + ["r2"] * 5)
    values = (["x"] * 2 + ["n"] * 5) * 2
    labels, model = ["Q"] * 7 + ["R"] * 7, "confidence-bounding(h=0.5,values=x)"
    alone = Minimality().attack(scene(labels, values, people, model, method="top-down"))
    assert confidence(alone) == dict.fromkeys(["p0", "p1", "p7", "p8"], 1.0)
    shared = Minimality().attack(scene(labels, values, people, model))
    # Either class is to blame with 1/21; if it is the other, two of seven have the value here.
    p = 1 / 21
    assert confidence(shared)["p0"] == pytest.approx((p * 2 / 7 + (1 - p) * p) / (p + (1 - p) * p))
    assert shared.rate.hits == 4 and all(sure < 0.7 for sure in confidence(shared).values())


def test_a_part_that_is_too_small_explains_everything() -> None:
    people, values = ["q1"] * 2 + ["q2"] * 5, ["x"] * 2 + ["n"] * 5
    case = scene(["Q"] * 7, values, people, "alpha-k-anonymity(alpha=0.5,k=3,values=x)")
    assert Minimality().attack(case).rate.hits == 0
    finer = scene(["Q"] * 7, values, people, "alpha-k-anonymity(alpha=0.5,k=2,values=x)")
    assert Minimality().attack(finer).rate.hits == 2


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"method": "noisy-counts"}, "noisy-counts may leave a class coarser than it must"),
        ({"method": "local-recoding"}, "local-recoding may leave a class coarser"),
        ({"models": ("k-anonymity(k=2)",)}, "looked at no sensitive value"),
        ({"models": ("l-diversity(l=2)", "t-closeness(t=0.1)")}, "t-closeness"),
        ({"models": ()}, "looked at no sensitive value"),
    ],
)
def test_with_nothing_to_use_it_says_so(change: dict[str, object], why: str) -> None:
    case = scene(["Q"] * 7, ["x"] * 2 + ["n"] * 5, ["q1"] * 2 + ["q2"] * 5, "l-diversity(l=2)")
    assert case.manifest is not None
    found = Minimality().attack(replace(case, manifest=replace(case.manifest, **change)))  # type: ignore[arg-type]
    assert found.rate.hits == 0 and why in found.cure and found.rate.targets == 7


def test_a_list_of_others_settles_nothing() -> None:
    case = scene(["Q"] * 7, ["x"] * 2 + ["n"] * 5, ["q1"] * 2, "confidence-bounding(h=0.5,values=x)")
    found = Minimality().attack(case)
    assert found.rate.hits == 0 and "everybody in the table" in found.cure
    assert found.details["classes_settled"] == 0


def test_a_column_that_the_list_lacks_leaves_nothing_to_settle() -> None:
    case = scene(["Q"] * 2, ["x", "n"], ["q1", "q2"], "l-diversity(l=2)")
    wider = case.table.frame.with_columns(sex=pl.lit("F"))
    table = Table(wider, (), ("q", "sex"), ("ill",), {"q": HIERARCHY})
    found = Minimality().attack(replace(case, table=table))
    assert found.rate.hits == 0 and "does not have sex" in found.cure


def test_odd_tables_are_no_trouble() -> None:
    one = Minimality().attack(scene(["Q"], [None], ["q1"], "l-diversity(l=2)"))
    assert one.rate.hits == 0 and json.dumps(one.to_json(), allow_nan=False)
    raw = Minimality().attack(scene(["q1", "q2"], ["x", "y"], ["q1", "q2"], "l-diversity(l=2)", level=0))
    assert raw.rate.hits == 0
    with pytest.raises(BadParameter, match="not 'sideways'"):
        Minimality(reach="sideways")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="not sensitive here"):
        Minimality(column="q").attack(scene(["Q"], ["x"], ["q1"], "l-diversity(l=2)"))


AGES = [str(age) for age in range(20, 52)]
HIERARCHIES = {
    "age": of_width(AGES, 4, levels=3),
    "zip": Hierarchy.of_levels(
        [[f"{z:02d}" for z in range(16)], *([f"{n}:{z // n}" for z in range(16)] for n in (2, 4, 8))]
    ),
    "sex": flat(["F", "M"]),
}


def hospital(rows: int, seed: int) -> pl.DataFrame:
    chance = np.random.default_rng(seed)
    zips = chance.integers(0, 16, rows)
    # As likely in every zip: that all ways to deal values are equally likely is what the attack supposes.
    ill = chance.integers(0, 4, rows)
    return pl.DataFrame(
        {
            "age": [str(age) for age in chance.integers(20, 52, rows)],
            "zip": [f"{z:02d}" for z in zips],
            "sex": ["FM"[sex] for sex in chance.integers(0, 2, rows)],
            "ill": [f"i{code}" for code in ill],
        }
    )


@pytest.mark.parametrize(
    ("method", "rows", "quasi", "tables"),
    [
        ("mondrian", 400, ("age", "zip", "sex"), 12),
        ("top-down", 200, ("age", "zip", "sex"), 20),
        ("optimal", 60, ("zip",), 80),
    ],
)
def test_the_attack_is_as_often_right_as_it_says(
    method: str, rows: int, quasi: tuple[str, ...], tables: int
) -> None:
    """On releases of the real methods; what is told is a lower bound."""
    hits, stated, right = 0, 0.0, 0.0
    models = ["k-anonymity(k=2)", "l-diversity(l=2)"]
    for seed in range(tables):
        frame = hospital(rows, seed).select(*quasi, "ill")
        hierarchies = {column: HIERARCHIES[column] for column in quasi}
        table = Table(frame, (), quasi, ("ill",), hierarchies)
        try:
            release: TableRelease = verbs.protect(
                table,
                catalog.make("method", method),
                [catalog.make("model", model) for model in models],
                None,
            )
        except Unreachable:
            continue
        found = Minimality().attack(
            Scene(
                release.table.with_hierarchies(hierarchies),
                external=frame.drop("ill"),
                original=frame,
                manifest=Manifest.of(release),
            )
        )
        assert found.details["classes_settled"] == found.details["classes"]
        if found.rate.hits:
            hits += found.rate.hits
            stated += found.details["mean_confidence"] * found.rate.hits  # type: ignore[operator]
            right += found.details["right"] * found.rate.hits  # type: ignore[operator]
    assert hits > 5
    spread = 3 * (0.25 / hits) ** 0.5
    assert right / hits > stated / hits - spread


@pytest.mark.parametrize("method", ["mondrian", "mondrian(relaxed=true)", "top-down", "optimal", "heuristic"])
def test_what_is_certain_is_so_in_every_table_that_gives_this_release(method: str) -> None:
    """Against all tables with the same people, each protected by the real method."""
    ages = ["20", "20", "24", "21", "25", "22"]
    hierarchy = suggest(pl.Series(ages), "age").hierarchy
    model, made = catalog.make("model", "confidence-bounding(h=0.5,values=x)"), {}
    worlds: dict[tuple[object, ...], list[tuple[str, ...]]] = {}
    for ills in product("xy", repeat=6):
        if ills.count("x") > 3:
            continue
        table = Table(pl.DataFrame({"age": ages, "ill": ills}), (), ("age",), ("ill",), {"age": hierarchy})
        release: TableRelease = verbs.protect(table, catalog.make("method", method), [model], None)
        key = tuple(sorted(release.table.frame.iter_rows()))
        worlds.setdefault(key, []).append(ills)
        made[key] = release
    people = pl.DataFrame({"name": [f"p{number}" for number in range(6)], "age": ages})
    for key, release in made.items():
        table = release.table.with_hierarchies({"age": hierarchy})
        found = Minimality().attack(Scene(table, external=people, manifest=Manifest.of(release), shown=0))
        for name, sure in confidence(found).items():
            alike = {ills[int(name[1:])] for ills in worlds[key]}
            assert sure < 1 or alike == {"x"}
        assert release.minimal == ("relaxed" not in method)
        if not release.minimal:
            assert "was relaxed" in found.cure and not found.rate.hits
