"""The lattice of solutions, against a twin that makes every release by hand."""

import itertools
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.tables.appraisal.losses import largest_k, objective
from shoal.tables.appraisal.solution_lattice import SolutionLattice
from shoal.tables.hierarchies import hierarchy_of
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.lattice_exploration import explore_lattice
from shoal.tables.search.lattice_search import LatticeSearch
from shoal.tables.table import Table

SPECS = {"age": "interval(width=10,levels=3)", "zip": "mask()"}
MODELS: list[ClassModel[Classes]] = [KAnonymity(k=2), LDiversity(l=2)]


def table_of(rows: list[tuple[int, str, str]]) -> Table:
    frame = pl.DataFrame(rows, schema={"age": pl.Int64, "zip": pl.String, "ill": pl.String}, orient="row")
    hierarchies = {column: hierarchy_of(spec, frame[column], column) for column, spec in SPECS.items()}
    return Table(frame, quasi=("age", "zip"), sensitive=("ill",), hierarchies=hierarchies)


def explored(table: Table, limit: int, most: int = 1000, time_limit: float | None = None) -> SolutionLattice:
    lattice = Lattice(Tuples.of(table, table.hierarchies, domains_of(table, MODELS)))
    goal = objective("loss", largest_k(MODELS))
    best = LatticeSearch(lattice, MODELS, goal, limit).run()
    return explore_lattice(lattice, MODELS, goal, limit, best, most, time_limit)


def by_hand(table: Table, levels: tuple[int, ...]) -> tuple[int, float]:
    """Rows left out and the loss, straight from the definitions: groups of rows, leaves under labels."""
    groups: dict[tuple[str | None, ...], list[tuple[object, ...]]] = {}
    for row in table.frame.rows():
        key = []
        for column, level, value in zip(table.quasi, levels, row, strict=False):
            hierarchy = table.hierarchies[column]
            place = hierarchy.position(str(value))
            key.append(hierarchy.names[level][hierarchy.codes[level][place]])
        groups.setdefault(tuple(key), []).append(row)
    good = {
        key: rows for key, rows in groups.items() if len(rows) >= 2 and len({row[2] for row in rows}) >= 2
    }
    lost = table.rows - sum(map(len, good.values()))
    cost = float(2 * lost)
    for labels, rows in good.items():
        for column, level, label in zip(table.quasi, levels, labels, strict=True):
            hierarchy = table.hierarchies[column]
            leaves = len(hierarchy.leaves)
            under = sum(hierarchy.names[level][code] == label for code in hierarchy.codes[level])
            cost += len(rows) * ((under - 1) / (leaves - 1) if leaves > 1 else 0.0)
    columns = sum(len(table.hierarchies[column].leaves) > 1 for column in table.quasi)
    return lost, cost / (2 * table.rows) if columns == 2 else math.nan


ROWS = st.lists(
    st.tuples(st.integers(20, 49), st.sampled_from(["101", "102", "201"]), st.sampled_from("abc")),
    min_size=4,
    max_size=14,
)


@settings(max_examples=25, deadline=None)
@given(ROWS, st.integers(0, 3))
def test_every_node_says_what_a_release_by_hand_says(rows: list[tuple[int, str, str]], limit: int) -> None:
    table = table_of(rows)
    found = explored(table, limit)
    assert found.whole and len({one.levels for one in found.solutions}) == found.nodes
    assert found.count("undecided") == 0
    losses = []
    for one in found.solutions:
        lost, loss = by_hand(table, one.levels)
        assert one.suppressed == lost
        safe = lost <= limit and lost < table.rows
        assert (one.state in ("safe", "optimal")) == safe
        if not math.isnan(loss) and one.loss is not None:
            assert one.loss == pytest.approx(loss)
        if safe and one.loss is not None:
            losses.append(one.loss)
    best = found.optimum
    assert (best is None) == (not losses)
    if best is not None and best.loss is not None:
        assert best.loss == pytest.approx(min(losses)) and found.proved
        assert found.solutions[0] is best


def people() -> Table:
    draw = np.random.default_rng(5)
    pairs = itertools.product(range(20, 50), ["101", "102", "201"])
    return table_of([(age, code, "abc"[draw.integers(3)]) for age, code in pairs])


def test_of_a_large_lattice_the_part_around_the_best_is_told() -> None:
    whole, part = explored(people(), 2), explored(people(), 2, most=6)
    assert not part.whole and len(part.solutions) == 6 and part.nodes == whole.nodes
    assert part.count("undecided") == whole.nodes - 6
    assert part.optimum == whole.optimum
    assert {one.levels: one for one in part.solutions}.items() <= {
        one.levels: one for one in whole.solutions
    }.items()
    assert f"6 of {whole.nodes} combinations" in part.words()
    assert "All" in whole.words()


def test_what_there_was_no_time_for_is_undecided() -> None:
    found = explored(people(), 2, time_limit=1e-12)
    assert found.whole and found.count("undecided") >= found.nodes - 1
    assert "time ran out" in found.notes[0]
