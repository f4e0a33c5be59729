"""The compiled loops against the same in plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacker_reasoning import label_matching_kernels as kernels
from shoal.tables.attacker_reasoning.label_matching_kernels import within_edits
from tables.attacker_reasoning.test_approximate_values import edits


@given(st.text("ab", max_size=6), st.text("ab", max_size=6), st.integers(0, 4))
def test_edits_are_counted_as_by_hand(one: str, other: str, most: int) -> None:
    def letters(text: str) -> tuple[np.ndarray, np.ndarray]:
        return np.array([ord(letter) for letter in text], np.int32), np.array([0, len(text)])

    zero = np.zeros(1, np.int64)
    found = within_edits(*letters(one), *letters(other), zero, zero, most)
    assert bool(found[0]) == (edits(one, other) <= most)


@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 2), min_size=1, max_size=5),
    st.lists(st.tuples(*[st.integers(0, 3)] * 2), min_size=1, max_size=8),
    st.lists(st.lists(st.sets(st.integers(0, 3)), min_size=3, max_size=3), min_size=2, max_size=2),
    st.booleans(),
)
def test_the_way_down_finds_every_class_of_which_all_labels_fit(
    people: list[tuple[int, ...]],
    labels: list[tuple[int, ...]],
    covers: list[list[set[int]]],
    as_bits: bool,
) -> None:
    """Kind k of column c has the labels `covers[c][k]`; the trie has two columns."""
    entries, classes = sorted(set(people)), sorted(set(labels))
    tops = sorted({first for first, _ in classes})
    node_label = [0, *tops, *(second for _, second in classes)]
    depths = [0, 1, 1 + len(tops), 1 + len(tops) + len(classes)]
    children = [1, *(depths[2] + [c[0] for c in classes].index(top) for top in tops), depths[3]]
    lists = [sorted(kind) for column in covers for kind in column]
    offsets: list[int] = []
    for column in range(2):
        begin = sum(map(len, lists[: 3 * column]))
        offsets += np.cumsum([begin, *map(len, lists[3 * column : 3 * column + 3])]).tolist()
    bits = [label in kind for column in covers for kind in [*column, set()] for label in range(4)]
    nowhere = np.full(len(node_label), -1, np.int32)
    ends, found = kernels.descend(
        np.array(entries, np.int32),
        np.array(offsets),
        np.array([0, 4]),
        np.array([label for kind in lists for label in kind], np.int32),
        np.packbits(bits, bitorder="little"),
        np.array([0, 16] if as_bits else [-1, -1]),
        np.array([4, 4]),
        np.full(8, -1, np.int32),
        np.array(node_label, np.int32),
        nowhere,
        nowhere,
        np.array(children),
        np.array(depths),
        10**6,
    )
    for number, (one, other) in enumerate(entries):
        expected = [
            place
            for place, (first, second) in enumerate(classes)
            if first in covers[0][one] and second in covers[1][other]
        ]
        assert sorted(found[ends[number] : ends[number + 1]].tolist()) == expected


@given(st.integers(1, 9).flatmap(lambda w: st.tuples(st.just(w), st.lists(st.sets(st.integers(0, w - 1))))))
def test_rows_become_bits_as_numpy_packs_them(case: tuple[int, list[set[int]]]) -> None:
    width, rows = case
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    places = np.array([place for row in rows for place in sorted(row)], np.int64)
    plain = [place in row for row in rows for place in range(width)]
    packed = np.packbits(np.array(plain, np.bool_), bitorder="little")
    assert np.array_equal(kernels.set_bits(offsets, places, width), packed)
