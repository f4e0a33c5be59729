"""The labels of classes at a node against the hierarchies, and columns that are none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from tables.builders import Case, cases
from tables.twins import grouped, nodes


@settings(max_examples=40)
@given(cases(columns=(1, 3), sensitive=(0, 0)), st.data())
def test_classes_are_called_by_the_labels_of_their_rows(case: Case, data: st.DataObject) -> None:
    table = case.table()
    lattice = Lattice(Tuples.of(table, table.hierarchies, {}))
    node = data.draw(st.sampled_from([*nodes(case)]))
    classes = lattice.classes(node)
    assert [*classes.labels] == [*classes.names] == [*case.quasi_names]
    assert len(classes.labels) == len(classes.names) == len(case.quasi_names)
    columns = [
        [classes.names[column][code] for code in classes.labels[column].tolist()]
        for column in case.quasi_names
    ]
    found = [*zip(*columns, strict=True)]
    assert len(set(found)) == len(found)
    assert set(found) == set(grouped(case, node))


@given(cases(columns=(1, 1), sensitive=(0, 0)))
def test_a_column_that_is_no_quasi_identifier_has_no_labels(case: Case) -> None:
    table = case.table()
    classes = Lattice(Tuples.of(table, table.hierarchies, {})).classes((0,))
    for known in (classes.labels, classes.names):
        with pytest.raises(KeyError, match="note"):
            known["note"]
