"""Cell suppression: a value or `*`, and few of the latter."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.cell_suppression import CellSuppression
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table

from ..builders import cases, models_for
from ..twins import Whole, keeps
from .sound import assert_sound, with_ids


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_release_is_sound_and_changes_nothing_but_to_a_star(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3)))
    models = data.draw(models_for(case, at_least=1))
    share = data.draw(st.sampled_from([0.0, 0.1, 0.5]))
    table, whole = with_ids(case), Whole.of(case.sensitive, case.taxonomies)
    try:
        release = CellSuppression(suppress=share).protect(table, models)
    except Unreachable:
        assert not all(keeps(model, list(case.sensitive), whole) for model in models)
        return
    for *labels, number in release.table.frame.select(*case.quasi_names, "id").rows():
        assert all(label in ("*", value) for label, value in zip(labels, case.quasi[number], strict=True))
    assert_sound(case, models, table, release, int(share * case.rows + 1e-9))


def fewest_stars(rows: list[str], k: int) -> int:
    """The least number of cells to hide, by trying every way."""
    best = len(rows) * len(rows[0])
    for hidden in product(product((0, 1), repeat=len(rows[0])), repeat=len(rows)):
        stars = sum(map(sum, hidden))
        if stars < best:
            pairs = zip(hidden, rows, strict=True)
            shown = ["".join("*" if h else v for h, v in zip(m, r, strict=True)) for m, r in pairs]
            if all(shown.count(label) >= k for label in shown):
                best = stars
    return best


def test_on_tiny_tables_it_is_close_to_the_fewest_stars() -> None:
    chance, mine, least = Random(2), 0, 0
    for _ in range(12):
        rows = ["".join(chance.choice("ab") for _ in range(3)) for _ in range(4)]
        hierarchy = Hierarchy.of_levels([["a", "b"]])
        frame = pl.DataFrame({f"q{c}": [row[c] for row in rows] for c in range(3)})
        table = Table(frame, quasi=tuple(frame.columns), hierarchies=dict.fromkeys(frame.columns, hierarchy))
        found = CellSuppression().protect(table, [KAnonymity(2)]).table.frame
        stars = sum(row.count("*") for row in found.rows())
        assert stars >= fewest_stars(rows, 2)
        mine, least = mine + stars, least + fewest_stars(rows, 2)
    assert mine <= 1.5 * least


def test_what_makes_no_sense_is_refused() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"suppress": 1.5}, "between 0 and 1"),
        ({"time_limit": -1.0}, "above 0"),
        ({"objective": "x"}, "no objective"),
    ]
    for bad, told in wrong:
        with pytest.raises(BadParameter, match=told):
            replace(CellSuppression(), **bad)
    hierarchy = Hierarchy.of_levels([["a", "b"]])
    table = Table(pl.DataFrame({"q": ["a", "b"]}), quasi=("q",), hierarchies={"q": hierarchy})
    with pytest.raises(Unreachable, match="offers 2; ask for no more"):
        CellSuppression().protect(table, [KAnonymity(3)])
