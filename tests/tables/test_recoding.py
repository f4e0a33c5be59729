"""What a release did to the values, counted leaf by leaf."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.recoding import Recoding, full_domain

from .builders import Case, cases
from .twins import Node, grouped, nodes


def recoding_of(case: Case, node: Node, suppressed: set[int]) -> Recoding:
    """The recoding of a release on a node's levels without some rows, put together row by row."""
    released = [np.zeros(len(ladder.leaves)) for ladder in case.ladders]
    lost = [np.zeros(len(ladder.leaves)) for ladder in case.ladders]
    for number, row in enumerate(case.quasi):
        for c, (ladder, value) in enumerate(zip(case.ladders, row, strict=True)):
            (lost if number in suppressed else released)[c][ladder.leaves.index(value)] += 1
    sizes = [len(set(members) - suppressed) for members in grouped(case, node).values()]
    kept = np.array([size for size in sizes if size], np.int64)
    return full_domain(case.ladders, node, released, lost, kept)


@given(cases(sensitive=(0, 0)), st.data())
def test_a_full_domain_recoding_counts_every_row_once(case: Case, data: st.DataObject) -> None:
    node = data.draw(st.sampled_from([*nodes(case)]))
    suppressed = data.draw(st.sets(st.integers(0, case.rows - 1)))
    found = recoding_of(case, node, suppressed)
    assert found.rows == case.rows
    assert found.suppressed_rows == len(suppressed)
    for c, (ladder, level) in enumerate(zip(case.ladders, node, strict=True)):
        per_leaf = [sum(row[c] == leaf for row in case.quasi) for leaf in ladder.leaves]
        assert found.leaf_counts[c].tolist() == per_leaf
        assert found.released[c].shape == (ladder.height + 1, len(ladder.leaves))
        assert found.released[c][level].sum() == found.released[c].sum() == case.rows - len(suppressed)
