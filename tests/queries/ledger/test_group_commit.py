"""One transaction for everybody who waits, and a verdict of one's own for each."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from patience import all_done
from shoal.core.errors import BadParameter, ShoalError, Spent
from shoal.queries.ledger.backend import Hand, Unwritten
from shoal.queries.ledger.group_commit import Pen, Writer
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import passing_ledger


class SlowPlace:
    """A place whose commits take a while, counted."""

    def __init__(self, ledger: Ledger) -> None:
        self._place = ledger.place
        self.where, self.locking = self._place.where, self._place.locking
        self.commits = 0
        self.fails = False

    @contextmanager
    def writing(self) -> Iterator[Hand]:
        with self._place.writing() as hand:
            yield hand
            time.sleep(0.05)
            self.commits += 1
            if self.fails:
                raise Unwritten("no room")

    @contextmanager
    def reading(self) -> Iterator[Hand]:
        with self._place.reading() as hand:
            yield hand

    snapshot = reading

    def close(self) -> None:
        self._place.close()


@pytest.fixture
def slow() -> Iterator[SlowPlace]:
    with passing_ledger() as ledger:
        yield SlowPlace(ledger)


def together(count: int, work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    all_done(threads)


def test_all_who_wait_share_a_commit(slow: SlowPlace) -> None:
    writer, numbers = Writer(slow), []
    together(30, lambda: numbers.append(writer.do(lambda pen: pen.note("recall"))))
    assert sorted(numbers) == list(range(1, 31))
    assert slow.commits <= 5


def test_everybody_gets_a_verdict_of_their_own(slow: SlowPlace) -> None:
    writer, heard = Writer(slow), []

    def work(pen: Pen) -> int | ShoalError:
        number = pen.note("refuse")
        return number if number % 2 else Spent(f"refused {number}")

    def ask() -> None:
        try:
            heard.append(str(writer.do(work)))
        except Spent as error:
            heard.append(str(error))

    together(10, ask)
    assert sorted(heard) == sorted(str(n) if n % 2 else f"refused {n}" for n in range(1, 11))


def test_a_commit_that_fails_fails_for_all_and_notes_nothing(slow: SlowPlace) -> None:
    writer, heard = Writer(slow), []
    slow.fails = True

    def ask() -> None:
        try:
            heard.append(str(writer.do(lambda pen: pen.note("recall"))))
        except Unwritten as error:
            heard.append(str(error))

    together(5, ask)
    assert heard == ["no room"] * 5
    slow.fails = False
    assert writer.do(lambda pen: pen.note("recall")) == 1


def test_one_who_errs_before_writing_does_not_stop_the_others(slow: SlowPlace) -> None:
    writer, heard = Writer(slow), []

    def bad(_: Pen) -> int:
        raise BadParameter("not so")

    def ask() -> None:
        for work in (bad, lambda pen: pen.note("recall")):
            try:
                heard.append(str(writer.do(work)))
            except BadParameter as error:
                heard.append(str(error))

    together(4, ask)
    assert sorted(heard) == ["1", "2", "3", "4"] + ["not so"] * 4


def test_half_a_piece_of_work_is_never_committed(slow: SlowPlace) -> None:
    writer = Writer(slow)

    def half(pen: Pen) -> int:
        pen.note("recall")
        raise BadParameter("changed my mind")

    with pytest.raises(ShoalError, match="changed my mind"):
        writer.do(half)
    assert writer.do(lambda pen: pen.note("recall")) == 1


def test_a_bug_in_one_piece_of_work_leaves_nobody_waiting(slow: SlowPlace) -> None:
    writer = Writer(slow)
    with pytest.raises(ZeroDivisionError):
        writer.do(lambda pen: pen.note("recall") // 0)
    assert writer.do(lambda pen: pen.note("recall")) == 1


def test_a_ledger_without_an_end_is_damaged() -> None:
    class Empty:
        def rows(self, sql: str, *values: str | int | None) -> list[tuple[object, ...]]:
            return []

    with pytest.raises(Unwritten, match=r"damaged .*; restore a copy"):
        Pen(Empty(), "")
