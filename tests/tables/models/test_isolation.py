"""(c,t)-isolation against plain geometry."""

from __future__ import annotations

import math
from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.isolation import Isolation, stretch_of
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.table import Table

LABELS = {"0": (0, 0), "3": (3, 3), "[0, 4)": (0, 4), "[4, 8)": (4, 8), "[4, 20)": (4, 20), "2*": (20, 29)}
rows = st.lists(
    st.tuples(st.sampled_from(list(LABELS)), st.sampled_from(list(LABELS))), min_size=1, max_size=14
)


def fewest(points: list[tuple[str, str]], c: float) -> int:
    spans = []
    for axis in (0, 1):
        ends = [end for point in points for end in LABELS[point[axis]]]
        spans.append((min(ends), (max(ends) - min(ends)) or 1))
    box = {
        point: [tuple((end - low) / wide for end in LABELS[label])
                for label, (low, wide) in zip(point, spans, strict=True)]
        for point in points
    }  # fmt: skip
    centre = {point: [(low + high) / 2 for low, high in ends] for point, ends in box.items()}
    radius = {point: math.hypot(*((high - low) / 2 for low, high in ends)) for point, ends in box.items()}
    sizes = Counter(points)
    return min(
        sum(n for other, n in sizes.items()
            if math.dist(centre[point], centre[other]) + radius[other] <= c * radius[point] + 1e-9)
        for point in sizes
    )  # fmt: skip


@given(rows, st.sampled_from([1.0, 1.5, 2.0, 4.0]), st.integers(1, 6))
def test_the_fewest_rows_in_a_ball_are_those_of_plain_geometry(
    points: list[tuple[str, str]], c: float, t: int
) -> None:
    classes = Classes.of(Table(pl.DataFrame(points, schema=["x", "y"], orient="row"), quasi=("x", "y")))
    assert Isolation(c, t).level(classes) == fewest(points, c)
    assert Isolation(c, t).holds(classes).all() == (fewest(points, c) >= t)
    assert not Isolation(c, t).doomed(classes).any()


def test_exact_values_shared_by_too_few_isolate_whatever_c() -> None:
    table = Table(pl.DataFrame({"x": ["1", "1", "1", "2", "2"]}), quasi=("x",))
    assert not Isolation(1000, 3).holds(Classes.of(table)).any()
    assert Isolation(1, 2).holds(Classes.of(table)).all()


def test_the_lattice_and_the_file_see_the_same_balls_and_a_release_is_found() -> None:
    hierarchy = Hierarchy.of_levels([["1", "2", "5", "9"], ["[1, 3)", "[1, 3)", "[5, 10)", "[5, 10)"]])
    frame = pl.DataFrame({"x": list("1112259"), "sex": list("mfmfmfm")})
    flat = Hierarchy.of_levels([["m", "f"]])
    table = Table(frame, quasi=("x", "sex"), hierarchies={"x": hierarchy, "sex": flat})
    model = Isolation(2, 2, ("x",))
    lattice = Lattice(Tuples.of(table, table.hierarchies, {}))
    assert not model.holds(lattice.classes((0, 0))).any() and model.holds(lattice.classes((1, 0))).all()
    release = Optimal(seed=1).protect(table, [model])
    assert release.levels == {"x": 1, "sex": 0}
    assert model.level(release.seen()) == model.level(lattice.classes((1, 0))) == 2


def test_words_are_refused_with_the_cure() -> None:
    classes = Classes.of(Table(pl.DataFrame({"x": ["1"], "sex": ["m"]}), quasi=("x", "sex")))
    with pytest.raises(BadParameter, match=r"'sex' has 'm'; name the numeric .*columns=age"):
        Isolation(2, 2).holds(classes)
    with pytest.raises(BadParameter, match="'zip' is none"):
        Isolation(2, 2, ("zip",)).holds(classes)
    hierarchies = {"x": Hierarchy.of_levels([["1", "2"]])}
    table = Table(pl.DataFrame({"x": ["1", "2"]}), quasi=("x",), hierarchies=hierarchies)
    with pytest.raises(BadParameter, match="'zip' is none"):
        Optimal().protect(table, [Isolation(2, 2, ("zip",))])


@pytest.mark.parametrize(("c", "t"), [(0.5, 2), (math.nan, 2), (math.inf, 2), (2.0, 0)])
def test_parameters_out_of_range_are_refused(c: float, t: int) -> None:
    with pytest.raises(BadParameter, match="isolation needs"):
        Isolation(c, t)


@pytest.mark.parametrize(
    ("label", "ends"),
    [
        ("34", (34, 34)),
        ("-1.5", (-1.5, -1.5)),
        ("[30, 40)", (30, 40)),
        ("[-5, -2]", (-5, -2)),
        ("30-39", (30, 39)),
        ("476**", (47600, 47699)),
        ("< 18", (-math.inf, 18)),
        ("≥ 65", (65, math.inf)),
        (">=40", (40, math.inf)),
        ("*", (-math.inf, math.inf)),
        ("Dr", None),
        ("1.2.3-4", None),
        (None, None),
    ],
)
def test_a_label_says_where_it_begins_and_ends(label: str | None, ends: tuple[float, float] | None) -> None:
    assert stretch_of(label) == ends
