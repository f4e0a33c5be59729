"""MultiR k-anonymity against sets of people."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.multir_k_anonymity import MultirKAnonymity
from shoal.tables.table import Table

Visit = tuple[str, str | None]
visits = st.lists(
    st.tuples(st.sampled_from("xyz"), st.sampled_from(["p", "q", "r", "s", None])), min_size=1, max_size=25
)


def seen(rows: list[Visit], model: MultirKAnonymity) -> tuple[Classes, list[list[str | None]]]:
    """The classes by code, and per class who is in it."""
    frame = pl.DataFrame(rows, schema={"q": pl.String, "who": pl.String}, orient="row")
    table = Table(frame, identifier=("who",), quasi=("q",))
    classes = Classes.of(table, domains_of(table, [model]))
    names = [classes.names["q"][label] for label in classes.labels["q"]]
    return classes, [[who for q, who in rows if q == name] for name in names]


@given(visits, st.integers(1, 4))
def test_a_class_holds_exactly_when_it_has_k_people(rows: list[Visit], k: int) -> None:
    model = MultirKAnonymity(k, "who")
    classes, groups = seen(rows, model)
    assert model.holds(classes).tolist() == [len(set(group)) >= k for group in groups]
    assert model.level(classes) == min(len(set(group)) for group in groups)


@given(visits, st.integers(1, 4), st.data())
def test_rows_in_failing_parts_are_never_fewer_than_the_doomed(
    rows: list[Visit], k: int, data: st.DataObject
) -> None:
    model = MultirKAnonymity(k, "who")
    classes, groups = seen(rows, model)
    for group, lost in zip(groups, model.doomed(classes), strict=True):
        part_of = [data.draw(st.integers(0, 2)) for _ in group]
        parts = [[who for who, p in zip(group, part_of, strict=True) if p == part] for part in set(part_of)]
        assert sum(len(part) for part in parts if len(set(part)) < k) >= lost


def test_many_rows_of_one_person_hide_nobody_and_the_search_knows() -> None:
    hierarchy = Hierarchy.of_levels([["x", "y", "z"], ["w", "w", "z"]])
    frame = pl.DataFrame({"q": list("xxxyyyzzz"), "who": list("aaabbbcdc")})
    table = Table(frame, identifier=("who",), quasi=("q",), hierarchies={"q": hierarchy})
    assert Optimal().protect(table, [KAnonymity(3)]).levels == {"q": 0}
    model = MultirKAnonymity(2, "who")
    release = Optimal(seed=3).protect(table, [model])
    assert release.levels == {"q": 1}
    assert "who" not in release.table.columns, "the person key must not leave the house"
    assert model.holds(release.seen()).all() and model.level(release.seen()) == 2


def test_the_rows_kept_inside_stay_beside_the_rows_that_go_out() -> None:
    """Shuffled with and without a seed, the people in the house still belong to the released rows."""
    frame = pl.DataFrame({"q": [str(n % 3) for n in range(30)], "v": [str(n) for n in range(30)]})
    frame = frame.with_columns(pl.col("v").alias("who"))
    hierarchy = {"q": Hierarchy.of_levels([["0", "1", "2"]])}
    for seed in (None, 7):
        release = Optimal(seed=seed).protect(Table(frame, ("who",), ("q",), (), hierarchy), [KAnonymity(2)])
        out = release.known_here()
        assert out.held is not None and out.held["who"].to_list() == out.frame["v"].to_list()


def test_a_k_below_one_is_refused_with_its_value() -> None:
    with pytest.raises(BadParameter, match="at least 1, not 0"):
        MultirKAnonymity(0, "who")
