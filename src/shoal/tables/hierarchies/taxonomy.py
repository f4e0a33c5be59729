"""Taxonomy trees: from a nested mapping, or from a list of child and parent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies.hierarchy import Hierarchy, Label

ROOT = -1  # the parent of a node that has none
DEEPEST = 200  # a mapping this deep contains itself


@dataclass
class _Tree:
    """Nodes by number, so that one label may stand on several of them."""

    labels: list[Label] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)

    def add(self, label: Label, parent: int = ROOT) -> int:
        self.labels.append(label)
        self.parents.append(parent)
        return len(self.labels) - 1

    def hierarchy(self, bottom_up: Iterable[int]) -> Hierarchy:
        """One level per height: a leaf wears the label of the largest subtree no higher than the level.

        So each level cuts the tree once, and a short branch repeats its label until its siblings are as high.
        """
        heights = [0] * len(self.labels)
        for node in bottom_up:
            parent = self.parents[node]
            if parent != ROOT:
                heights[parent] = max(heights[parent], heights[node] + 1)
        leaves = [node for node, height in enumerate(heights) if not height]
        parents, high = np.array(self.parents, np.int64), np.array([*heights, len(heights)], np.int64)
        here = np.array(leaves, np.int64)
        levels = [[self.labels[node] for node in leaves]]
        for level in range(1, max(heights, default=0) + 1):
            # One step is enough: the parent of a subtree that was too high before is at least this high.
            # A root has the last height, which no level reaches, so it repeats itself.
            here = np.where(high[parents[here]] <= level, parents[here], here)
            levels.append([self.labels[node] for node in here.tolist()])
        return Hierarchy.of_levels(levels)


def from_nested(nested: object) -> Hierarchy:
    """A tree as data: `{"Infection": ["Flu", "HIV"], "Cancer": {"Skin": ["Melanoma"]}}`.

    Keys are groups; what stands in a list, or has nothing below it, is a value. In a list, `None` is the
    missing value.
    """
    tree = _Tree()
    _grow(tree, nested, ROOT, 0)
    # A child is always added after its parent.
    return tree.hierarchy(reversed(range(len(tree.labels))))


def _grow(tree: _Tree, group: object, parent: int, depth: int) -> None:
    if depth > DEEPEST:
        raise BadHierarchy(
            f"the nested hierarchy runs in a circle or deeper than {DEEPEST} groups, under "
            f"{tree.labels[parent]!r}; give every group its own values"
        )
    if isinstance(group, Mapping):
        for label, below in group.items():
            node = tree.add(_text(label), parent)
            if below is not None:
                _grow(tree, below, node, depth + 1)
    elif isinstance(group, Sequence) and not isinstance(group, str):
        for item in group:
            _grow(tree, item, parent, depth + 1)
    else:
        tree.add(_text(group), parent)


def _text(value: object) -> Label:
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)  # as Polars writes them


def from_parents(
    pairs: Iterable[tuple[Label, Label]], lines: Sequence[int] | None = None, values: Iterable[Label] = ()
) -> Hierarchy:
    """A tree as pairs of child and parent, in any order; no parent (`None` or empty) makes a root.

    Whatever is nobody's parent is a leaf. A group that is also among `values`, as the general code J45 stands
    beside J45.1 in a column of diagnoses, becomes a leaf under itself. `lines[i]` is the line of pair `i`.
    """
    tree, number, told = _Tree(), dict[Label, int](), dict[int, int]()
    for index, (child, parent) in enumerate(pairs):
        line = index if lines is None else lines[index]
        node = _node(tree, number, child)
        above = _node(tree, number, parent) if parent else ROOT
        if node in told and tree.parents[node] != above:
            first, second = (f" (line {at})" if lines else "" for at in (told[node], line))
            raise BadHierarchy(
                f"{child!r} has two parents, {_name(tree, tree.parents[node])}{first} and "
                f"{_name(tree, above)}{second}; keep one"
            )
        tree.parents[node] = above
        told.setdefault(node, line)
    bottom_up = _bottom_up(tree, told if lines else {})
    groups = {tree.labels[node] for node in tree.parents if node != ROOT}
    own = [tree.add(value, number[value]) for value in dict.fromkeys(values) if value in groups]
    return tree.hierarchy([*own, *bottom_up])


def _node(tree: _Tree, number: dict[Label, int], label: Label) -> int:
    if label not in number:
        number[label] = tree.add(label)
    return number[label]


def _name(tree: _Tree, node: int) -> str:
    return "none" if node == ROOT else repr(tree.labels[node])


def _bottom_up(tree: _Tree, lines: Mapping[int, int]) -> list[int]:
    """Children before their parents, or a refusal when the parents run in a circle."""
    waiting = [0] * len(tree.labels)
    for parent in tree.parents:
        if parent != ROOT:
            waiting[parent] += 1
    order = [node for node, children in enumerate(waiting) if not children]
    for node in order:  # grows while it is read
        parent = tree.parents[node]
        if parent != ROOT:
            waiting[parent] -= 1
            if not waiting[parent]:
                order.append(parent)
    # With one parent each, exactly the nodes on a circle are still waiting.
    for node, children in enumerate(waiting):
        if children:
            _refuse_circle(tree, node, lines)
    return order


def _refuse_circle(tree: _Tree, start: int, lines: Mapping[int, int]) -> None:
    way, node = [repr(tree.labels[start])], tree.parents[start]
    while node != start:
        way.append(repr(tree.labels[node]))
        node = tree.parents[node]
    shown = way if len(way) <= 5 else [*way[:4], "…"]
    where = f" (line {lines[start]})" if start in lines else ""
    raise BadHierarchy(f"{' → '.join([*shown, way[0]])} runs in a circle{where}; take one of its pairs out")
