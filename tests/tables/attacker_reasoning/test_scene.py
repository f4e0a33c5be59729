"""What an attack looks at."""

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.table import Table

FRAME = pl.DataFrame({"zip": ["1"], "ill": ["flu"], "pay": ["9"]})


def test_the_column_is_the_one_named_or_the_only_one() -> None:
    one = Scene(Table(FRAME, quasi=("zip",), sensitive=("ill",)))
    two = Scene(Table(FRAME, quasi=("zip",), sensitive=("ill", "pay")))
    assert one.sensitive_column(None, "x") == "ill" and two.sensitive_column("pay", "x") == "pay"
    with pytest.raises(BadParameter, match=r'say which, as in "x\(column=ill\)"'):
        two.sensitive_column(None, "x")
    with pytest.raises(BadParameter, match="'zip', which is not sensitive here"):
        one.sensitive_column("zip", "x")
    with pytest.raises(BadParameter, match="needs a sensitive column"):
        Scene(Table(FRAME, quasi=("zip",))).sensitive_column(None, "x")


def test_a_list_must_share_a_quasi_identifier() -> None:
    scene = Scene(Table(FRAME, quasi=("zip",)))
    assert scene.shared_with(pl.DataFrame({"zip": ["1"], "name": ["A"]}), "x") == ("zip",)
    with pytest.raises(BadParameter, match="it has name"):
        scene.shared_with(pl.DataFrame({"name": ["A"]}), "x")
