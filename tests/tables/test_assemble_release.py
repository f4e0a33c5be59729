"""What goes out: no identifiers, an order that tells nothing, the input untouched."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from shoal.tables.assemble_release import assemble
from shoal.tables.table import Table

ROWS = 200


def people(rows: int = ROWS) -> Table:
    frame = pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(rows)],
            "age": list(range(rows)),
            "ill": [None if number % 7 == 0 else f"d{number % 5}" for number in range(rows)],
            "note": [number * 0.5 for number in range(rows)],
        }
    )
    return Table(frame, identifier=("name",), quasi=("age",), sensitive=("ill",))


def decades(table: Table) -> dict[str, tuple[pl.Series, NDArray[np.int32]]]:
    """Ages as their first ten labels; the missing value among them."""
    labels = pl.Series([None, *(f"{ten}0s" for ten in range(1, 100))], dtype=pl.String)
    return {"age": (labels, (table.frame["age"].to_numpy() // 10).astype(np.int32))}


def assembled(table: Table, kept: NDArray[np.bool_], seed: int | None) -> pl.DataFrame:
    return assemble(table, decades(table), kept, seed).frame


@pytest.mark.parametrize("seed", [None, 0, 42])
def test_the_kept_rows_go_out_recoded_whole_and_without_identifiers(seed: int | None) -> None:
    table = people()
    before = table.frame.clone()
    kept = np.arange(ROWS) % 3 != 0
    released = assemble(table, decades(table), kept, seed)
    assert released.columns == ["age", "ill", "note"]
    assert released.identifier == ()
    assert (released.quasi, released.sensitive) == (("age",), ("ill",))
    wanted = Counter(
        (None if age < 10 else f"{age // 10}0s", ill, note)
        for (_, age, ill, note), keep in zip(before.rows(), kept, strict=True)
        if keep
    )
    assert Counter(released.frame.rows()) == wanted
    assert table.frame.equals(before)


@pytest.mark.parametrize("seed", [None, 0, 42])
def test_the_order_is_neither_that_of_the_input_nor_sorted(seed: int | None) -> None:
    notes = assembled(people(), np.ones(ROWS, np.bool_), seed)["note"].to_list()
    assert notes != sorted(notes)
    assert notes != sorted(notes, reverse=True)
    # A shuffle leaves about one row in its place, and neighbours together about twice.
    assert sum(note == number * 0.5 for number, note in enumerate(notes)) < 10
    assert sum(abs(one - other) == 0.5 for one, other in pairwise(notes)) < 15


def test_a_seed_repeats_the_order_and_another_changes_it() -> None:
    all_rows = np.ones(ROWS, np.bool_)
    once, again, other = (assembled(people(), all_rows, seed) for seed in (1, 1, 2))
    assert once.equals(again)
    assert not once.equals(other)


def test_without_a_seed_no_two_releases_have_one_order() -> None:
    all_rows = np.ones(ROWS, np.bool_)
    assert not assembled(people(), all_rows, None).equals(assembled(people(), all_rows, None))


@given(st.integers(0, 2**32), st.lists(st.integers(0, 3), min_size=1, max_size=30), st.data())
def test_a_seeded_order_tells_nothing_of_the_input_order(
    seed: int, values: list[int], data: st.DataObject
) -> None:
    """Rows that come in another order go out in the same one, so a guessed seed undoes nothing."""
    place = data.draw(st.permutations(range(len(values))))
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values))))
    assume(kept.any())
    frame = pl.DataFrame(
        {
            "q": values,
            "s": [None if value == 2 else str(value) for value in values[::-1]],
            "x": [value == 1 for value in values],
        }
    )
    labels = pl.Series(["a", "b", "a or b", "c"])
    found = []
    for order in (list(range(len(values))), place):
        table = Table(frame[order], quasi=("q",), sensitive=("s",))
        codes = table.frame["q"].to_numpy().astype(np.int32)
        found.append(assemble(table, {"q": (labels, codes)}, kept[order], seed).frame)
    assert found[0].equals(found[1])
