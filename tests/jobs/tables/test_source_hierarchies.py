"""The hierarchies of a request."""

import polars as pl
import pytest

from jobs.tables.test_source import FRAME, TABLE, _settled
from shoal.core.errors import BadParameter
from shoal.jobs.tables.requests import ProtectTable, VerifyTable
from shoal.jobs.tables.source import hierarchies_between, hierarchies_of, with_hierarchies, with_roles
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table


def test_every_quasi_identifier_gets_a_hierarchy_and_a_sensitive_column_only_a_given_one() -> None:
    job = ProtectTable(data=FRAME, identifier=("name",), quasi=("zip", "age"), sensitive=("ill",))
    table = with_hierarchies(_settled(job), job)
    assert set(table.hierarchies) == {"zip", "age"}
    taxonomy = {"ill": {"light": ["flu"], "heavy": ["heart"]}}
    job = ProtectTable(data=FRAME, quasi=("zip",), sensitive=("ill",), hierarchy=taxonomy)
    assert with_hierarchies(_settled(job), job).hierarchies["ill"].height == 2


def test_a_hierarchy_for_nobody_is_refused() -> None:
    with pytest.raises(BadParameter, match="'agee'"):
        with_hierarchies(
            TABLE.with_roles(quasi=("age",)), ProtectTable(data=FRAME, hierarchy={"agee": "mask()"})
        )
    with pytest.raises(BadParameter, match="'agee'"):
        with_roles(TABLE, VerifyTable(data=FRAME, quasi=("age",), hierarchy={"agee": "mask()"}), None)


def test_a_class_column_must_be_there() -> None:
    with pytest.raises(BadParameter, match="no class column 'x'"):
        hierarchies_of(TABLE, ProtectTable(data=FRAME), ("age",), "x")


def test_the_tables_own_hierarchy_comes_before_a_suggestion() -> None:
    hierarchy = Hierarchy.of_levels([["flu", "heart"]])
    table = TABLE.with_hierarchies({"ill": hierarchy})
    assert hierarchies_of(table, ProtectTable(data=FRAME), ("ill",))["ill"].names == hierarchy.names


def test_hierarchies_for_another_table_are_given_known_or_suggested() -> None:
    released = Table(pl.DataFrame({"age": ["[20, 40)", "[40, 60)"], "zip": ["*", "*"]}), quasi=("age", "zip"))
    found = hierarchies_between(
        VerifyTable(data=FRAME, hierarchy={"age": "interval(width=10)"}), released, FRAME
    )
    assert found["age"].label("29", 2) == "[20, 40)"
    assert found["zip"].label("47677", found["zip"].height) == "*"
    own = released.with_hierarchies({"age": Hierarchy.of_levels([["x"]])})
    assert hierarchies_between(VerifyTable(data=FRAME), own, FRAME)["age"].leaves == ("x",)
    assert hierarchies_between(VerifyTable(data=FRAME), released, None) == {}
    assert hierarchies_between(VerifyTable(data=FRAME), released, FRAME.select("name")) == {}
