"""What a declaration says of tables that hang on others."""

from typing import Any

import pytest

from queries.shop import dataset
from shoal.core.errors import BadParameter
from shoal.queries.declaration.parents import parent_of, plain_owner, waits
from shoal.queries.declaration.serialisation import dataset_from, to_plain


def test_a_table_waits_for_its_parent() -> None:
    told = {"parent": {"table": "Orders", "column": "l_order", "key": "o_id"}}
    assert parent_of("lines", told) == told["parent"]
    assert waits("lines", told, {"customer"}) and not waits("lines", told, {"orders"})
    assert not waits("lines", {}, set())
    owners = [list(plain_owner(table)) for table in dataset().tables]
    assert owners == [["unit"], ["unit"], ["parent"], ["public"]]


def test_the_order_of_tables_does_not_matter() -> None:
    plain: dict[str, Any] = to_plain(dataset())
    turned = {**plain, "tables": dict(reversed(plain["tables"].items()))}
    assert {table.name for table in dataset_from(turned).tables} == {table.name for table in dataset().tables}


@pytest.mark.parametrize(
    ("parent", "why"),
    [
        ({"table": "nothing", "column": "l_order", "key": "o_id"}, "none, or itself"),
        ({"table": "lines", "column": "l_order", "key": "o_id"}, "none, or itself"),
        ({"table": "orders", "column": "l_order"}, "no key"),
        ({"table": "orders", "column": "l_order", "key": "o_id", "rows": 0}, "at least 1"),
        ({"table": "parts", "column": "l_order", "key": "p_id"}, "public"),
        ("orders", "settings"),
    ],
)
def test_what_is_wrong_is_told(parent: object, why: str) -> None:
    plain: dict[str, Any] = to_plain(dataset())
    plain["tables"]["lines"]["parent"] = parent
    with pytest.raises(BadParameter, match=why):
        dataset_from(plain)
