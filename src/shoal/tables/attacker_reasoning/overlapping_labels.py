"""Which labels, and which classes, of two releases may be about the same person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.label_matching_kernels import meeting_leaves
from shoal.tables.attacker_reasoning.label_syntax import Span, in_days, in_numbers, keys_on, meanings
from shoal.tables.attacker_reasoning.label_values import covered_values
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses, code
from shoal.tables.hierarchies import TOP, Hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.text_values import texts

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
MOST = 50_000_000  # pairs of classes that fit into the memory of a small machine


def labels_overlap(first: pl.Series, second: pl.Series, hierarchy: Hierarchy | None) -> Bools:
    """For distinct labels of two releases, whether both may stand for one same value: first by second.

    The hierarchy says so for two labels that it names. Else labels speak for themselves: one contains the
    other, or ranges of numbers or days meet; a set meets what one of its members meets. `*` meets everything,
    a missing value itself and `*`.
    """
    own, other = texts(first), texts(second)
    (mine, of_mine, begins), (theirs, of_theirs, other_begins) = (
        _open_sets(own, hierarchy),
        _open_sets(other, hierarchy),
    )
    meets = _sets_overlap(mine, theirs, hierarchy)
    if len(of_mine) > len(own):
        meets = np.logical_or.reduceat(meets[of_mine], begins, axis=0)
    if len(of_theirs) > len(other):
        meets = np.logical_or.reduceat(meets[:, of_theirs], other_begins, axis=1)
    return meets


def _open_sets(labels: pl.Series, hierarchy: Hierarchy | None) -> tuple[pl.Series, Ints, Ints]:
    """Distinct labels with the members of sets; which of them each label is, members after their set; and
    where each label begins there. A set that the hierarchy knows is a label like any other."""
    places = np.arange(len(labels))
    members = {place: told.members for place, told in meanings(labels).items() if told.members}
    if not members:
        return labels, places, places
    _, _, known = _stretches(labels, hierarchy)
    several = [
        (label, *(() if known[place] else members.get(place, ())))
        for place, label in enumerate(labels.to_list())
    ]
    every = pl.Series([label for those in several for label in those], dtype=pl.String)
    kinds = every.unique().sort()
    return kinds, _places(kinds, every), np.cumsum([0, *map(len, several)])[:-1]


def _sets_overlap(own: pl.Series, other: pl.Series, hierarchy: Hierarchy | None) -> Bools:
    """Whether labels may stand for one same value, of sets as far as one contains the other."""
    low, high, known = _stretches(own, hierarchy)
    other_low, other_high, other_known = _stretches(other, hierarchy)
    both = known[:, None] & other_known
    meets = _ranges_meet(own, other)
    # As if the labels of one release were what people have, and the other way round.
    for values, labels, turned in ((own, other, False), (other, own, True)):
        pairs = covered_values(values, labels, None)
        rows, columns = _places(values, pairs["value"]), _places(labels, pairs["label"])
        meets[(columns, rows) if turned else (rows, columns)] = True
    share = (low[:, None] <= other_high) & (other_low <= high[:, None])
    for turned, words, labels, begin, end, unknown in (
        (False, own, other, low, high, ~other_known),
        (True, other, own, other_low, other_high, ~known),
    ):
        _by_leaves(meets.T if turned else meets, words, labels, begin, end, unknown, hierarchy)
    # Two ranges may share a value that no leaf has: a hierarchy made for a list knows only the values on it.
    named = both & _in_hierarchy(own, hierarchy)[:, None] & _in_hierarchy(other, hierarchy)
    meets[both] |= share[both]
    meets[named] = share[named]
    meets[(own == TOP).fill_null(value=False).to_numpy()] = True
    meets[:, (other == TOP).fill_null(value=False).to_numpy()] = True
    return meets


def class_pairs(
    first: RowClasses, second: RowClasses, hierarchies: Mapping[str, Hierarchy], readable: bool = False
) -> tuple[Ints, Ints]:
    """The pairs of classes, one of each release, that one person may be in: all labels they share meet.

    A column in which no label meets any other is refused, because then nobody reads the labels.
    """
    shared = [column for column in first.columns if column in second.columns]
    if not shared:
        _refuse_too_many(len(first) * len(second))
        every = np.arange(len(first) * len(second), dtype=np.int64)
        return every // max(len(second), 1), every % max(len(second), 1)
    columns = [
        _class_label_overlaps(first, second, column, hierarchies.get(column), readable) for column in shared
    ]
    # What tells most apart goes first, so that few ways down the tree of labels stay open.
    columns.sort(key=lambda column: float(column[2][column[0]].sum(axis=0) @ np.bincount(column[1])))
    order = np.lexsort([other for _, other, _ in reversed(columns)])
    new = np.zeros(len(second), np.bool_)
    new[:1] = True
    labels, children, depths = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [0]
    starts = np.zeros(1, np.int64)
    for _, other, _ in columns:
        along = other[order]
        new[1:] |= along[1:] != along[:-1]
        nodes = np.flatnonzero(new)
        children.append(depths[-1] + np.searchsorted(nodes, starts))
        labels.append(along[nodes])
        depths.append(depths[-1] + len(nodes))
        starts = nodes
    own, found = meeting_leaves(
        np.column_stack([own for own, _, _ in columns]),
        np.concatenate([meets.ravel() for _, _, meets in columns]),
        np.cumsum([0, *(meets.size for _, _, meets in columns)]),
        np.array([meets.shape[1] for _, _, meets in columns]),
        np.concatenate(labels),
        np.concatenate((*children, depths[-1:])),
        np.array(depths),
        MOST,
    )
    # Classes that differ only in columns which the other release does not have share a leaf.
    ends = np.append(starts[1:], len(second))
    each = ends[found] - starts[found]
    _refuse_too_many(int(each.sum()))
    within = np.arange(int(each.sum())) - np.repeat(np.cumsum(each) - each, each)
    pairs = np.sort(np.repeat(own, each) * len(second) + order[np.repeat(starts[found], each) + within])
    return pairs // len(second), pairs % len(second)


def _class_label_overlaps(
    first: RowClasses, second: RowClasses, column: str, hierarchy: Hierarchy | None, readable: bool
) -> tuple[Ints, Ints, Bools]:
    """The label of each class in both releases, as numbers, and which labels meet."""
    (own, names), (other, other_names) = code(first.labels[column]), code(second.labels[column])
    meets = labels_overlap(names, other_names, hierarchy)
    if not readable and not meets.any():
        raise BadParameter(
            f"no label in '{column}' of one release meets any of the other, such as {names[0]!r} and "
            f"{other_names[0]!r}; give the hierarchy they were made with as --hierarchy {column}=FILE, or "
            "leave the column out of --quasi"
        )
    return own, other, meets


def _places(names: pl.Series, labels: pl.Series) -> Ints:
    places = pl.Series(np.arange(len(names)), dtype=pl.Int64)
    return labels.replace_strict(names, places, return_dtype=pl.Int64).to_numpy()


def _stretches(labels: pl.Series, hierarchy: Hierarchy | None) -> tuple[Ints, Ints, Bools]:
    """The leaves that each label covers, as the first and last place in the hierarchy's line."""
    low, high = np.full(len(labels), -1, np.int64), np.full(len(labels), -2, np.int64)
    if hierarchy is not None:
        order = LeafOrder.of(hierarchy)
        for place, label in enumerate(labels.to_list()):
            stretch = order.stretch_of(label)
            if stretch is not None:
                low[place], high[place] = stretch
    return low, high, high >= 0


def _by_leaves(
    meets: Bools,
    words: pl.Series,
    labels: pl.Series,
    low: Ints,
    high: Ints,
    unknown: Bools,
    hierarchy: Hierarchy | None,
) -> None:
    """Enter where a word of the hierarchy has a leaf that a label covers which the hierarchy does not
    know.
    """
    if hierarchy is None or not unknown.any():
        return
    # A leaf is a plain value, and what speaks for itself has been heard already.
    silent = _in_hierarchy(words, hierarchy) & ~words.is_in([*hierarchy.leaves], nulls_equal=True).to_numpy()
    silent[[*meanings(words)]] = False
    if not silent.any():
        return
    order = LeafOrder.of(hierarchy)
    leaves = pl.Series(hierarchy.leaves, dtype=pl.String)
    pairs = covered_values(leaves, labels.filter(pl.Series(unknown)), None)
    place = order.place_of[_places(leaves, pairs["value"])].astype(np.int64)
    upto = np.zeros(len(leaves) + 1, np.int64)
    for label, own in enumerate(_group(_places(labels, pairs["label"]), place, len(labels))):
        upto[1:] = np.cumsum(np.bincount(own, minlength=len(leaves)))
        meets[silent & (upto[high + 1] > upto[np.maximum(low, 0)]), label] = True


def _group(of: Ints, what: Ints, many: int) -> list[Ints]:
    order = np.argsort(of, kind="stable")
    return np.split(what[order], np.searchsorted(of[order], np.arange(1, many)))


def _in_hierarchy(labels: pl.Series, hierarchy: Hierarchy | None) -> Bools:
    """Whether a label stands in the hierarchy itself."""
    names = set() if hierarchy is None else {name for level in hierarchy.names for name in level}
    return np.array([label in names for label in labels.to_list()], np.bool_)


def _ranges_meet(first: pl.Series, second: pl.Series) -> Bools:
    """Whether ranges of numbers, or of days, have something in common; two plain values never do here."""
    meets: Bools = np.zeros((len(first), len(second)), np.bool_)
    for days in (False, True):
        own, other = _ends(first, days), _ends(second, days)
        low, high, above, below = (own[:, [place]] for place in range(4))
        other_low, other_high, other_above, other_below = (other[:, place] for place in range(4))
        wide = (low < high) | (other_low < other_high)
        meet = (low < other_high) | ((low == other_high) & (above + other_below == 0))
        meet &= (other_low < high) | ((other_low == high) & (other_above + below == 0))
        meets |= wide & meet
    return meets


def _ends(labels: pl.Series, days: bool) -> Floats:
    """Per label its low and high end, and for each whether it is left out; not a number without ends."""
    plain = keys_on("day" if days else "number", labels)
    ends = np.column_stack((plain, plain, np.zeros((len(plain), 2))))
    for place, meaning in meanings(labels).items():
        spans: Sequence[Span | None] = [(in_days if days else in_numbers)(span) for span in meaning.spans]
        for span in spans:
            if span is not None:
                ends[place] = (span.low, span.high, span.above_low, span.below_high)
    return ends


def _refuse_too_many(pairs: int) -> None:
    if pairs > MOST:
        raise BadParameter(
            f"the releases fit together in more than {MOST:,} ways; give the people as --external FILE"
        )


def finer(first: pl.Series, second: pl.Series, hierarchy: Hierarchy | None) -> pl.Series:
    """Row by row the label that says more; both, where neither is known to."""
    pairs = pl.DataFrame({"first": texts(first), "second": texts(second)})
    kinds = pairs.unique(maintain_order=True)
    own, other = kinds["first"], kinds["second"]
    low, high, known = _stretches(own, hierarchy)
    other_low, other_high, other_known = _stretches(other, hierarchy)
    by_hierarchy = known & other_known
    inner = {
        turned: set(covered_values(values.unique(), labels.unique(), None).iter_rows())
        for values, labels, turned in ((own, other, False), (other, own, True))
    }
    told: list[str | None] = []
    for place, (one, two) in enumerate(kinds.iter_rows()):
        if by_hierarchy[place]:
            within = other_low[place] <= low[place] and high[place] <= other_high[place]
            around = low[place] <= other_low[place] and other_high[place] <= high[place]
        else:
            within, around = (one, two) in inner[False], (two, one) in inner[True]
        if one == two or within or two == TOP:
            told.append(one)
        elif around or one == TOP:
            told.append(two)
        else:
            told.append(" & ".join("missing" if label is None else label for label in (one, two)))
    finest = kinds.with_columns(pl.Series("finer", told, dtype=pl.String))
    joined = pairs.join(finest, on=["first", "second"], how="left", nulls_equal=True, maintain_order="left")
    return joined["finer"]
