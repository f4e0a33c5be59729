"""The classes of every node, against recoding and grouping in plain Python, in any order of visits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.search import distinct_tuples as tuples_module
from shoal.tables.search import lattice as module
from shoal.tables.search import node_memory
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice, Node
from shoal.tables.table import Table
from tables.builders import Case, cases
from tables.twins import grouped, nodes


def lattice_of(case: Case) -> Lattice:
    table = case.table()
    return Lattice(Tuples.of(table, table.hierarchies, case.domains()))


def assert_like_the_twin(case: Case, lattice: Lattice, node: Node, look_inside: bool = True) -> None:
    """Class by class: the rows, the tuple that stands for it, and the sensitive counts."""
    wanted = grouped(case, node)
    classes = lattice.classes(node)
    assert len(classes) == len(wanted)
    tuples, at_level = lattice.tuples, list(zip(case.hierarchies, node, strict=True))
    for number, place in enumerate(classes.representatives.tolist()):
        labels = tuple(
            hierarchy.names[level][hierarchy.codes[level, code]]
            for (hierarchy, level), code in zip(at_level, tuples.codes[place].tolist(), strict=True)
        )
        members = wanted.pop(labels)
        assert classes.sizes[number] == len(members)
        for c, name in enumerate(case.sensitive_names if look_inside else ()):
            counts = classes.sensitive[name]
            start, end = counts.offsets[number], counts.offsets[number + 1]
            own = {
                counts.domain.values[value]: count
                for value, count in zip(counts.values[start:end], counts.counts[start:end], strict=True)
            }
            assert own == Counter(case.sensitive[row][c] for row in members)
            assert (np.diff(counts.values[start:end]) > 0).all()
    assert not wanted


def assert_members(case: Case, lattice: Lattice, node: Node) -> None:
    """Rows are in one class exactly when their labels are alike."""
    group, classes = lattice.members(node)
    of_row = group[lattice.tuples.of_row].tolist()
    for members in grouped(case, node).values():
        numbers = {of_row[row] for row in members}
        assert len(numbers) == 1
        assert classes.sizes[numbers.pop()] == len(members)
    assert sum(classes.sizes.tolist()) == case.rows


@settings(max_examples=60)
@given(cases(columns=(1, 3)), st.randoms(use_true_random=False))
def test_every_node_visited_in_any_order_is_its_twin(case: Case, chance: Random) -> None:
    lattice = lattice_of(case)
    visits = [*nodes(case)] * 2
    chance.shuffle(visits)
    for number, node in enumerate(visits):
        # Looking inside some nodes only leaves the two memories, of sizes and of values, out of step.
        assert_like_the_twin(case, lattice, node, look_inside=number % 3 != 1)
        assert_members(case, lattice, node)


@settings(max_examples=60)
@given(cases(columns=(1, 3)), st.data())
def test_the_people_who_fit_a_class_are_its_twin_in_any_order_of_visits(
    case: Case, data: st.DataObject
) -> None:
    person = st.tuples(*(st.sampled_from(hierarchy.leaves) for hierarchy in case.hierarchies))
    strangers = data.draw(st.lists(person, max_size=20))
    everybody = [*case.quasi, *strangers]
    crowd = pl.DataFrame(everybody, dict.fromkeys(case.quasi_names, pl.String), orient="row")
    table = replace(case.table(), population=crowd)
    lattice = Lattice(Tuples.of(table, table.hierarchies, case.domains()))
    visits = data.draw(st.permutations([*nodes(case)] * 2))
    for number, node in enumerate(visits):
        labels = Counter(
            tuple(h.label(value, level) for h, value, level in zip(case.hierarchies, row, node, strict=True))
            for row in everybody
        )
        classes = lattice.classes(node)
        assert classes.population is not None
        if number % 3:  # those remembered with sensitive counts know their people too
            for name in case.sensitive_names:
                classes.sensitive[name]
        for place, fits in zip(classes.representatives.tolist(), classes.population.counts, strict=True):
            codes = lattice.tuples.codes[place].tolist()
            own = tuple(
                h.names[level][h.codes[level, code]]
                for h, level, code in zip(case.hierarchies, node, codes, strict=True)
            )
            assert fits == labels.pop(own)
        assert classes.population.outside == sum(labels.values())


@settings(max_examples=40)
@given(
    cases(columns=(2, 4)),
    st.randoms(use_true_random=False),
    st.sampled_from([1, 4, 1 << 21]),
    st.sampled_from([2, 3, 192]),
    st.sampled_from([0, 40, 256 << 20]),
    st.sampled_from([1, 6, 2**62]),
)
def test_scarce_memory_and_overflowing_keys_change_nothing(
    case: Case, chance: Random, direct: int, remembered: int, block: int, largest: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "DIRECT_CELLS", direct)
        patch.setattr(node_memory, "REMEMBERED", remembered)
        patch.setattr(module, "BLOCK_BYTES", block)
        patch.setattr(tuples_module, "LARGEST_KEY", largest)
        lattice = lattice_of(case)
        visits = [*nodes(case)]
        chance.shuffle(visits)
        for node in visits[:40]:
            assert_like_the_twin(case, lattice, node)


def test_classes_asked_for_late_are_still_those_of_their_node() -> None:
    """Sensitive counts come when a model first looks, by when other nodes have been visited."""
    levels: list[list[Label]] = [list("abcdefgh"), list("ppqqrrss"), list("xxxxyyyy")]
    hierarchy = Hierarchy.of_levels(levels)
    rows = [(one, other) for one in "abcdefgh" for other in "ahg"]
    case = Case((hierarchy, hierarchy), tuple(rows), tuple((str(n % 3),) for n in range(len(rows))), (None,))
    lattice = lattice_of(case)
    early = {node: lattice.classes(node) for node in [*nodes(case)][::-1]}
    for node, classes in early.items():
        fresh = lattice_of(case).classes(node)
        for name in ("offsets", "values", "counts"):
            late, now = (getattr(found.sensitive["s0"], name) for found in (classes, fresh))
            assert late.tolist() == now.tolist()


def test_many_columns_with_many_leaves_overflow_no_key() -> None:
    """Twelve columns of 5,000 leaves: all codes together are far beyond 2⁶², the classes still right."""
    chance = np.random.default_rng(3)
    leaves: list[Label] = [str(number) for number in range(5000)]
    hierarchy = Hierarchy.of_levels([leaves, [leaf[:1] if leaf else leaf for leaf in leaves]])
    codes = chance.integers(0, 5000, (60, 12))
    codes[30:] = codes[:30]
    codes[30:40, 11] = (codes[30:40, 11] + 1) % 5000
    names = tuple(f"q{c}" for c in range(12))
    frame = pl.DataFrame({name: codes[:, c] for c, name in enumerate(names)})
    lattice = Lattice(Tuples.of(Table(frame, quasi=names), dict.fromkeys(names, hierarchy), {}))
    for node in [(0,) * 12, (1,) * 12, (0, 1) * 6, (2,) * 11 + (0,), (2,) * 11 + (1,), (2,) * 12]:
        wanted = Counter(
            tuple(
                leaves[code] if level == 0 else leaves[code][:1] if level == 1 else "*"
                for code, level in zip(row, node, strict=True)
            )
            for row in codes.tolist()
        )
        assert sorted(lattice.classes(node).sizes.tolist()) == sorted(wanted.values())


@given(cases(columns=(1, 3), sensitive=(0, 0)), st.data())
def test_costs_of_tuples_are_read_on_the_levels_of_the_node(case: Case, data: st.DataObject) -> None:
    lattice = lattice_of(case)
    node = data.draw(st.sampled_from([*nodes(case)]))
    tables = [
        np.arange(hierarchy.codes.size, dtype=np.float64).reshape(hierarchy.codes.shape) + 1000.0 * c
        for c, hierarchy in enumerate(case.hierarchies)
    ]
    rows = np.arange(len(lattice.tuples.sizes), dtype=np.int32)
    found = lattice.row_costs(rows, np.concatenate([table.ravel() for table in tables]), node)
    assert found.tolist() == [
        sum(tables[c][level, code] for c, (level, code) in enumerate(zip(node, codes, strict=True)))
        for codes in lattice.tuples.codes.tolist()
    ]
