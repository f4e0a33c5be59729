"""What happened between an original and its release, from the two tables alone."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.appraisal.comparison import generalise, key_columns, level_of, recoding_between
from shoal.tables.appraisal.losses import losses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.methods.top_down.top_down import TopDown
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table
from tables.builders import Case, cases

HIERARCHY = Hierarchy.of_levels([["a", "b", "c"], ["ab", "ab", "c"]])


def one(*values: str | None) -> Table:
    return Table(pl.DataFrame({"x": pl.Series(values, dtype=pl.String)}), quasi=("x",))


@given(cases(sensitive=(0, 0)), st.integers(1, 4), st.sampled_from([0.0, 0.2, 0.5]), st.data())
def test_the_losses_of_a_release_are_those_that_protect_names(
    case: Case, k: int, suppress: float, data: st.DataObject
) -> None:
    objective = data.draw(st.sampled_from(["loss", "precision", "discernibility", "entropy"]))
    original = case.table()
    try:
        release = Optimal(objective, suppress, seed=1).protect(original, [KAnonymity(k)])
    except Unreachable:
        assume(False)
        raise
    recoding = recoding_between(original, release.table, original.hierarchies, release.levels)
    assert losses(recoding, k) == pytest.approx(dict(release.losses), abs=1e-12)


def test_suppressed_rows_are_those_whose_class_is_gone() -> None:
    found = recoding_between(one("a", "a", "b", "c"), one("ab", "ab", "ab"), {"x": HIERARCHY})
    assert found.suppressed_rows == 1
    figures = losses(found, 1)
    # Three rows with a label for two of three leaves, and one row gone.
    assert figures["loss"] == (3 * 1 / 2 + 1) / 4 and figures["precision"] == 1 - (3 * 1 / 2 + 1) / 4
    assert figures["discernibility"] == 3 * 3 + 4 * 1
    bits = 2 * np.log2(3 / 2) + np.log2(3) + np.log2(4)
    assert figures["entropy"] == pytest.approx(bits / (2 * np.log2(4 / 2) + 2 * np.log2(4)))


def test_rows_that_cannot_be_matched_are_shared_out() -> None:
    # `ab` and `a` together are on no one level, and which rows are gone cannot be known.
    found = recoding_between(one("a", "a", "b", "c"), one("a", "ab"), {"x": HIERARCHY})
    assert found.suppressed_rows == 2
    figures = losses(found, 1)
    assert figures["loss"] == pytest.approx((0 + 1 / 2 + 2) / 4)
    assert figures["precision"] == pytest.approx(1 - (0 + 1 / 2 + 2) / 4)
    assert 0 < figures["entropy"] < 1


def test_a_label_on_several_levels_is_read_as_told() -> None:
    same = Hierarchy.of_levels([["a", "b"], ["a", "b"]])
    column = pl.Series("x", ["a", "b"])
    assert level_of(same, column) == 0
    assert level_of(same, column, told=1) == 1
    assert level_of(same, column, told=2) == 0  # only `*` is there, so that cannot be
    assert level_of(same, column, told=99) == level_of(same, column, told=-1) == 0
    assert level_of(same, pl.Series("x", ["z"]), told=1) is None


def test_labels_of_a_method_without_levels_have_heights_of_their_own() -> None:
    """`c` stands on two levels, so all labels could be on level 1; top-down left it on level 0."""
    hierarchy = Hierarchy.of_levels([["a", "b", "c"], ["ab", "ab", "c"]])
    table = Table(pl.DataFrame({"q": list("abcc")}), quasi=("q",), hierarchies={"q": hierarchy})
    release = TopDown(seed=1).protect(table, [KAnonymity(2)])
    assert set(release.table.frame["q"]) == {"ab", "c"}
    again = recoding_between(table, release.table, {"q": hierarchy}, {})
    assert losses(again, 2) == pytest.approx(release.losses)
    assert release.losses["precision"] == pytest.approx(3 / 4)
    assert losses(recoding_between(table, release.table, {"q": hierarchy}), 2)["precision"] == pytest.approx(
        1 / 2
    )


def test_generalised_leaves_what_it_does_not_know() -> None:
    column = pl.Series("x", ["a", "z", None])
    assert generalise(column, HIERARCHY, 1).to_list() == ["ab", "z", None]
    assert column.to_list() == ["a", "z", None]


def test_keys_have_names_of_our_own() -> None:
    found = key_columns([pl.Series("x", [1, 2]), pl.Series("x", ["a", "b"])])
    assert found.columns == ["key0", "key1"] and found["key0"].to_list() == ["1", "2"]


@pytest.mark.parametrize("name", ["rows", "value", "row", "__row", "len"])
def test_any_column_name_will_do(name: str) -> None:
    original, release = (
        Table(t.frame.rename({"x": name}), quasi=(name,)) for t in (one("a", "b"), one("ab", "ab"))
    )
    assert recoding_between(original, release, {name: HIERARCHY}).suppressed_rows == 0


def test_tables_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(BadParameter, match="2 rows and its original 1"):
        recoding_between(one("a"), one("a", "a"), {"x": HIERARCHY})
    with pytest.raises(BadParameter, match="has 'z' in 'x'"):
        recoding_between(one("a", "b"), one("z"), {"x": HIERARCHY})
    with pytest.raises(BadParameter, match="misses 'z' of the original"):
        recoding_between(one("a", "z"), one("ab"), {"x": HIERARCHY})


def test_a_long_hierarchy_is_shared_out_in_good_time() -> None:
    values = [str(value) for value in range(50_000)]
    hierarchy = Hierarchy.of_levels([values, [f"{value[:2]}*" for value in values]])
    released = one(*values[:25_000], *(f"{value[:2]}*" for value in values[25_000:]))
    found = recoding_between(one(*values), released, {"x": hierarchy})
    assert 0 < losses(found, 1)["loss"] < 0.5
