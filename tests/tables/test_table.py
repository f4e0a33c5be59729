"""Data plus the role of every column."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter, BadTable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table

FRAME = pl.DataFrame({"name": ["Ann"], "zip": ["1"], "ill": ["flu"], "note": [None]})
TABLE = Table(FRAME, ("name",), ("zip",), ("ill",))


def test_every_column_has_one_role() -> None:
    roles = [TABLE.role(column) for column in TABLE.columns]
    assert roles == ["identifier", "quasi", "sensitive", "insensitive"]
    assert TABLE.insensitive == ("note",) and TABLE.rows == 1


@pytest.mark.parametrize(
    "roles",
    [
        {"quasi": ("zip",), "sensitive": ("zip",)},
        {"identifier": ("zip",), "quasi": ("zip",)},
        {"quasi": ("zip", "zip")},
        {"quasi": ("zip",), "insensitive": ("zip",)},
    ],
)
def test_two_roles_are_refused(roles: dict[str, tuple[str, ...]]) -> None:
    with pytest.raises(BadParameter, match=r"'zip' is .* a column has one role"):
        TABLE.with_roles(**roles)


def test_a_column_that_is_not_there_is_refused_with_those_that_are() -> None:
    for role in ("identifier", "quasi", "sensitive", "insensitive"):
        with pytest.raises(BadParameter, match="no column 'x'; the table has name, zip, ill, note"):
            TABLE.with_roles(**{role: ("x",)})
    with pytest.raises(BadParameter, match="no column 'x'"):
        TABLE.with_hierarchies({"x": Hierarchy.of_levels([["1"]])})


def test_a_table_has_columns_and_rows() -> None:
    with pytest.raises(BadTable, match="no columns"):
        Table(pl.DataFrame())
    with pytest.raises(BadTable, match="no rows"):
        Table(FRAME.clear())


def test_other_rows_keep_the_roles_of_the_columns_that_are_left() -> None:
    found = TABLE.with_frame(FRAME.drop("name"))
    assert (found.identifier, found.quasi, found.sensitive) == ((), ("zip",), ("ill",))
    assert TABLE.columns == FRAME.columns
