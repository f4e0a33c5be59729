"""What every model of classes is held to: its twin per class, and a promise about refinements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from hypothesis import strategies as st

from shoal.core.contract import ClassModel
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import Label

from ..builders import one_column

Keeps = Callable[[Sequence[Label]], bool]

letters = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=12), min_size=1, max_size=6)
figures = st.lists(
    st.lists(st.sampled_from(["1", "2", "3", "5", "8", "2.0", "0.7", "0.8"]), min_size=1, max_size=10),
    min_size=1,
    max_size=6,
)


def agrees(
    model: ClassModel[Classes], keeps: Keeps, groups: Sequence[Sequence[Label]], domain: Domain
) -> None:
    """The model says of every class what its definition says."""
    assert model.holds(one_column(groups, domain)).tolist() == [keeps(group) for group in groups]


def spares_no_doomed_row(
    model: ClassModel[Classes], keeps: Keeps, group: Sequence[Label], domain: Domain
) -> None:
    """Of all ways to cut a class in two or three, none releases more than the class less its doomed rows."""
    kinds = sorted(set(group), key=str)
    doomed = float(model.doomed(one_column([group], domain))[0])
    assert 0 <= doomed <= len(group)
    if keeps(group):
        assert doomed == 0
    ways = [range(group.count(kind) + 1) for kind in kinds]
    holding = {
        taken: sum(taken)
        for taken in product(*ways)
        if any(taken) and keeps([kind for kind, n in zip(kinds, taken, strict=True) for _ in range(n)])
    }
    whole = tuple(group.count(kind) for kind in kinds)
    most = 0
    for one, size in holding.items():
        rest = tuple(all_ - n for all_, n in zip(whole, one, strict=True))
        most = max(most, size)
        for other, more in holding.items():
            if size + more > most and all(n <= left for n, left in zip(other, rest, strict=True)):
                most = size + more
    assert len(group) - most >= doomed


def domain_of(groups: Sequence[Sequence[Label]]) -> Domain:
    """The union of the classes as the whole table."""
    return one_column(groups).sensitive["s"].domain
