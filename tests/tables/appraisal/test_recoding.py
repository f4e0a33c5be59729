"""What a release did to the values, counted leaf by leaf."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.appraisal.recoding import Recoding, full_domain, over_stretches
from shoal.tables.hierarchies.leaf_order import LeafOrder
from tables.builders import Case, cases
from tables.twins import Node, grouped, nodes, ways


def recoding_of(case: Case, node: Node, suppressed: set[int]) -> Recoding:
    """The recoding of a release on a node's levels without some rows, put together row by row."""
    released = [np.zeros(len(hierarchy.leaves)) for hierarchy in case.hierarchies]
    lost = [np.zeros(len(hierarchy.leaves)) for hierarchy in case.hierarchies]
    for number, row in enumerate(case.quasi):
        for c, (hierarchy, value) in enumerate(zip(case.hierarchies, row, strict=True)):
            (lost if number in suppressed else released)[c][hierarchy.leaves.index(value)] += 1
    sizes = [len(set(members) - suppressed) for members in grouped(case, node).values()]
    kept = np.array([size for size in sizes if size], np.int64)
    return full_domain(case.hierarchies, node, released, lost, kept)


@given(cases(sensitive=(0, 0)), st.data())
def test_a_full_domain_recoding_counts_every_row_once(case: Case, data: st.DataObject) -> None:
    node = data.draw(st.sampled_from([*nodes(case)]))
    suppressed = data.draw(st.sets(st.integers(0, case.rows - 1)))
    found = recoding_of(case, node, suppressed)
    assert found.rows == case.rows
    assert found.suppressed_rows == len(suppressed)
    for c, (hierarchy, level) in enumerate(zip(case.hierarchies, node, strict=True)):
        column = found.columns[c]
        here = [row[c] for row in case.quasi]
        assert column.leaf_counts.tolist() == [here.count(leaf) for leaf in hierarchy.leaves]
        labels = [ways(hierarchy)[level][value] for value in here]
        kept = [label for number, label in enumerate(labels) if number not in suppressed]
        for code, name in enumerate(hierarchy.names[level]):
            assert column.rows[code] == kept.count(name)
            assert column.labels.under[code] == labels.count(name)
            assert column.labels.leaves[code] == [*ways(hierarchy)[level].values()].count(name)
            assert column.labels.height[code] == level


@given(cases(columns=(1, 1), sensitive=(0, 0)), st.data())
def test_labels_given_as_stretches_are_the_labels_of_the_level(case: Case, data: st.DataObject) -> None:
    node = data.draw(st.sampled_from([*nodes(case)]))
    suppressed = data.draw(st.sets(st.integers(0, case.rows - 1)))
    on_level = recoding_of(case, node, suppressed).columns[0]
    order = LeafOrder.of(case.hierarchies[0])
    places = [np.flatnonzero(order.codes[node[0]] == code) for code in range(len(on_level.rows))]
    found = over_stretches(
        order,
        np.array([place[0] for place in places], np.int32),
        np.array([place[-1] for place in places], np.int32),
        on_level.rows,
        on_level.released,
        on_level.suppressed,
    )
    assert found.labels.leaves.tolist() == on_level.labels.leaves.tolist()
    assert found.labels.under.tolist() == on_level.labels.under.tolist()
    # A label that stands on several levels is as high as the lowest of them.
    assert (found.labels.height <= on_level.labels.height).all()
