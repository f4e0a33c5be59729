import numpy as np
import pytest

from shoal.core import cache
from shoal.core.cache import remembered, remembering

calls: list[object] = []


@remembered
def doubled(
    numbers: np.ndarray, names: list[str], hierarchies: dict[str, object] | None = None
) -> np.ndarray:
    calls.append((numbers, names, hierarchies))
    return numbers * 2


@pytest.fixture(autouse=True)
def _nothing_called() -> None:
    calls.clear()


def test_the_same_things_are_worked_out_once_and_only_inside() -> None:
    numbers, hierarchy = np.arange(3), object()
    with remembering():
        first = doubled(numbers, ["a", "b"], hierarchies={"a": hierarchy})
        assert doubled(numbers, ["a", "b"], hierarchies={"a": hierarchy}) is first
        assert len(calls) == 1
    assert doubled(numbers, ["a", "b"]) is not doubled(numbers, ["a", "b"])
    assert len(calls) == 3


def test_what_differs_in_anything_is_worked_out_anew() -> None:
    numbers = np.arange(3)
    with remembering():
        doubled(numbers, ["a"])
        doubled(numbers, ["a", "b"])
        doubled(numbers.copy(), ["a"])  # equal, but who knows that without looking
        doubled(numbers, ["a"], {"a": object()})
        doubled(numbers, ["a"], {"a": object()})
    assert len(calls) == 5


def test_one_memory_knows_nothing_of_another() -> None:
    numbers = np.arange(3)
    with remembering():
        outer = doubled(numbers, ["a"])
        with remembering():
            assert doubled(numbers, ["a"]) is not outer
        assert doubled(numbers, ["a"]) is outer


def test_what_was_given_stays_alive_so_that_another_thing_cannot_take_its_number() -> None:
    with remembering():
        for number in range(20):
            assert doubled(np.full(3, number), ["a"])[0] == 2 * number


def test_large_results_and_old_ones_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(3)
    monkeypatch.setattr(cache, "LARGEST", 10)
    with remembering():
        assert doubled(numbers, ["a"]) is not doubled(numbers, ["a"])
    monkeypatch.undo()
    monkeypatch.setattr(cache, "MOST", 2)
    with remembering():
        first = doubled(numbers, ["a"])
        doubled(numbers, ["b"])
        assert doubled(numbers, ["a"]) is first
        doubled(numbers, ["c"])  # now b was asked for longest ago
        assert doubled(numbers, ["a"]) is first
        calls.clear()
        doubled(numbers, ["b"])
        assert len(calls) == 1
