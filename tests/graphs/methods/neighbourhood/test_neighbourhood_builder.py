"""Carrying out a plan."""

from graphs.drawn import graph_of
from shoal.graphs.methods.neighbourhood.neighbourhood_builder import Builder
from shoal.graphs.methods.neighbourhood.shapes import Shape
from shoal.graphs.methods.neighbourhood.working_graph import Work

# Node 0 is in a triangle with 1 and 2; node 3 has two friends who do not know each other; pairs beside them.
PAIRS = [(6 + 2 * at, 7 + 2 * at) for at in range(8)]
GRAPH = graph_of(22, (0, 1), (1, 2), (2, 0), (3, 4), (3, 5), *PAIRS)


def test_lonely_friends_become_the_part_that_is_missing() -> None:
    work = Work(GRAPH, 2)
    work.refresh()
    assert Builder(work, set()).carry_out([3], work.look(0))
    assert work.look(3) == work.look(0)
    assert list(zip(work.sources, work.targets, strict=True)) in ([(4, 5)], [(5, 4)])


def test_new_friends_have_no_common_friends() -> None:
    work = Work(GRAPH, 2)
    work.refresh()
    shape = Shape(3, work.look(0).parts)
    assert Builder(work, set()).carry_out([0, 3], shape)
    assert work.look(0) == work.look(3)
    assert work.look(0).parts == shape.parts


def test_those_who_are_done_are_not_touched() -> None:
    work = Work(GRAPH, 2)
    work.refresh()
    done = {4, 5}
    before = [set(work.near[one]) for one in done]
    Builder(work, done).carry_out([3], work.look(0))
    assert [work.near[one] for one in done] == before


def test_where_nobody_is_free_nothing_is_promised() -> None:
    work = Work(GRAPH, 2)
    work.refresh()
    everybody = set(range(GRAPH.nodes))
    assert not Builder(work, everybody).carry_out([3], work.look(0))
    assert work.added == 0
