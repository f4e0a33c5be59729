"""A declared domain is the same whatever the rows are."""

import polars as pl
import pytest

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search.declared_domain import NOWHERE, DeclaredDomain, refuse_weaker
from shoal.tables.table import Table

HIERARCHY = Hierarchy.of_levels([list("abcd"), list("xxyy")])


def test_the_cells_do_not_depend_on_the_rows() -> None:
    for values in ("a", "abcd", "ddd"):
        table = Table(pl.DataFrame({"q": list(values)}), quasi=("q",), hierarchies={"q": HIERARCHY})
        assert DeclaredDomain.of(table, (), "m").cells == 4
        assert DeclaredDomain.of(table, ("q:1",), "m").widths == (2,)


def test_a_value_that_was_not_declared_is_nowhere() -> None:
    table = Table(pl.DataFrame({"q": ["d", "z", None, "a"]}), quasi=("q",), hierarchies={"q": HIERARCHY})
    found = DeclaredDomain.of(table, ("q:1",), "m")
    assert found.rows.tolist() == [[1], [NOWHERE], [NOWHERE], [0]] and found.known.tolist() == [[1], [0]]


def test_a_missing_value_that_was_declared_is_one_like_others() -> None:
    hierarchy = HIERARCHY.with_missing_value()
    table = Table(pl.DataFrame({"q": [None, "a"]}), quasi=("q",), hierarchies={"q": hierarchy})
    assert DeclaredDomain.of(table, (), "m").known.tolist() == [[4], [0]]


def test_a_column_without_a_hierarchy_is_refused() -> None:
    with pytest.raises(BadParameter, match="needs a declared domain; give --hierarchy q="):
        DeclaredDomain.of(Table(pl.DataFrame({"q": ["a"]}), quasi=("q",)), (), "m")


def test_a_promise_above_what_the_parameters_give_is_refused_with_the_cure() -> None:
    models: list[ClassModel[Classes]] = [KAnonymity(2), DifferentialPrivacy(1, 0.01)]
    refuse_weaker(models, {"epsilon": 1.0, "delta": 0.01}, "some-method", "lower beta")
    with pytest.raises(
        Unreachable, match=r"delta = 0.2, which does not keep differential.*delta=0.01\); lower beta$"
    ):
        refuse_weaker(models, {"epsilon": 1.0, "delta": 0.2}, "some-method", "lower beta")
