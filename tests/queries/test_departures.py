"""Which answers had left when a question came in."""

from __future__ import annotations

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
