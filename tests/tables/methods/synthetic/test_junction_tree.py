"""Trees of cliques: all that is asked for together is together, and shared columns hang together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.methods.synthetic.junction_tree import JunctionTree, cells_of, eliminated, maximal

CLIQUES = st.lists(
    st.sets(st.integers(0, 5), min_size=1, max_size=3).map(lambda one: tuple(sorted(one))), max_size=7
)


@given(CLIQUES, st.lists(st.integers(1, 4), min_size=6, max_size=6))
def test_every_clique_is_in_the_tree_and_every_column_hangs_together(
    together: list[tuple[int, ...]], widths: list[int]
) -> None:
    tree = JunctionTree.over(widths, together)
    assert all(tree.holding(one) is not None for one in together)
    assert {column for clique in tree.cliques for column in clique} == set(range(6))
    for column in range(6):
        having = [place for place, clique in enumerate(tree.cliques) if column in clique]
        # One of them is the highest; every other finds the column in its parent.
        assert sum(column not in tree.separators[place] for place in having) == 1
    assert all(parent < place for place, parent in enumerate(tree.parents))


def test_a_loop_of_four_columns_is_cut_into_two_triangles() -> None:
    loop = [(0, 1), (1, 2), (2, 3), (0, 3)]
    assert sorted(map(len, maximal(eliminated([2, 2, 2, 2], loop)))) == [3, 3]
    assert cells_of([2, 2, 2, 2], loop) == 16
    assert cells_of([2, 3, 4], []) == 9


def test_cliques_inside_of_others_are_no_cliques_of_their_own() -> None:
    assert maximal([(0,), (0, 1), (1, 0), (2,)]) == [(0, 1), (2,)]
    assert JunctionTree.over([2, 2], []).holding((0, 1)) is None
