"""What is remembered, for how long, and which of it is found again."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.tables.search import node_memory
from shoal.tables.search.node_memory import Memory, NodeClasses


def classes(groups: int) -> NodeClasses:
    return NodeClasses(np.ones(groups, np.int64), representatives=np.arange(groups, dtype=np.int32))


def test_the_fewest_groups_that_refine_a_node_are_found() -> None:
    base = classes(100)
    memory = Memory(2, base)
    assert memory.base is memory.below((3, 3)) is base
    wide, narrow = classes(40), classes(10)
    memory.keep((1, 0), wide)
    memory.keep((2, 1), narrow)
    assert memory.below((2, 1)) is narrow
    assert memory.below((2, 0)) is wide
    assert memory.below((0, 5)) is base


def test_what_saves_nothing_is_not_kept_and_the_oldest_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_memory, "REMEMBERED", 3)
    base = classes(100)
    memory = Memory(1, base)
    memory.keep((1,), classes(51))
    assert memory.below((9,)) is base
    first, second, third = classes(9), classes(20), classes(30)
    memory.keep((1,), first)
    memory.keep((2,), second)
    assert memory.below((9,)) is first
    memory.keep((3,), third)  # in place of the first
    assert memory.below((9,)) is second
    assert memory.below((1,)) is base
