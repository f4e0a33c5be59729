"""Which answers had left when a question came in."""

from __future__ import annotations

from contextlib import ExitStack

from hypothesis import given
from hypothesis import strategies as st

from shoal.queries.departures import Departures


def test_an_answer_has_left_for_whoever_comes_after_and_not_for_whoever_came_before() -> None:
    known = Departures()
    with known.arrival() as before:
        assert not known.after("a", before)
        known.leaves("a")
        with known.arrival() as later:
            assert known.after("a", before) and not known.after("a", later)
            known.leaves("a")  # another answer to the same: the first one is what is given again
            assert known.after("a", before) and not known.after("a", later)
            assert not known.after("b", before)


def test_nothing_is_kept_that_nobody_can_ask_for_any_more() -> None:
    known = Departures()
    for number in range(10):
        with known.arrival():
            known.leaves(str(number))
    assert not known._left and not known._open
    with known.arrival():
        with known.arrival():
            known.leaves("a")
        assert list(known._left) == ["a"]
    assert not known._left
    known.leaves("b")  # with nobody on the way
    assert not known._left


EVENTS = st.tuples(st.sampled_from(["comes", "leaves", "done"]), st.integers(0, 5), st.sampled_from("ab"))


@given(st.lists(EVENTS, max_size=30))
def test_it_tells_what_a_list_of_all_that_ever_happened_tells(events: list[tuple[str, int, str]]) -> None:
    """What leaves answers somebody who is still here, and to whom it was not free."""
    known, here = Departures(), list[tuple[int, ExitStack, int]]()
    first: dict[str, int] = {}
    for at, (what, which, key) in enumerate(events):
        if what == "comes":
            stack = ExitStack()
            here.append((stack.enter_context(known.arrival()), stack, at))
        elif here and what == "done":
            here.pop(which % len(here))[1].close()
        elif here and first.get(key, at) >= here[which % len(here)][2]:
            known.leaves(key)
            first.setdefault(key, at)
        for arrival, _, came in here:
            for one in "ab":
                free = one in first and not known.after(one, arrival)  # what was kept is there for good
                assert free == (one in first and first[one] < came)
    assert here or not known._left
