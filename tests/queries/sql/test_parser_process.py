"""A reader in a process of its own: it is kept, ended and replaced."""

import threading
from collections.abc import Iterator

import pytest

from patience import end
from shoal.core.errors import NotAllowed
from shoal.queries.sql.parser_process import KEPT, ParserProcess
from shoal.queries.sql.sqlglot_parser import tokens_of, tree_of

ENDLESS = "SELECT " + "DATE(" * 60 + "1" + ")" * 60  # hours


@pytest.fixture
def apart() -> Iterator[ParserProcess]:
    made = ParserProcess(seconds=0.3, patience=30)
    yield made
    made.close()


def test_the_tree_that_comes_back_is_the_same(apart: ParserProcess) -> None:
    text = "SELECT a, SUM(CASE WHEN b THEN 1 END) FROM t WHERE d > DATE '2024-01-01' GROUP BY a /* c */"
    assert apart.tree(text) == tree_of(text, tokens_of(text))
    first = apart._idle[0].pid
    apart.tree("SELECT 1")
    assert [process.pid for process in apart._idle] == [first]


def test_a_refusal_comes_back_in_its_own_words(apart: ParserProcess) -> None:
    with pytest.raises(NotAllowed, match="not 2; write one SELECT"):
        apart.tree("SELECT 1; SELECT 2")


def test_what_takes_too_long_is_ended_and_the_next_one_read(apart: ParserProcess) -> None:
    with pytest.raises(NotAllowed, match="too long to read"):
        apart.tree(ENDLESS)
    assert apart._idle == []
    assert apart.tree("SELECT 1").sql() == "SELECT 1"


def test_the_clock_ends_it_too() -> None:
    apart = ParserProcess(seconds=1000, patience=0.5)
    with pytest.raises(NotAllowed, match="too long to read"):
        apart.tree(ENDLESS)
    apart.close()


def test_one_that_was_killed_is_replaced(apart: ParserProcess) -> None:
    apart.tree("SELECT 1")
    dead = apart._idle[0]
    end(dead)
    assert apart.tree("SELECT 2").sql() == "SELECT 2"
    assert dead not in apart._idle


def test_threads_do_not_wait_for_each_other_and_few_processes_are_kept(apart: ParserProcess) -> None:
    found: list[str] = []
    both = threading.Barrier(4)

    def read(number: int) -> None:
        both.wait(60)
        found.append(apart.tree(f"SELECT {number}").sql())

    threads = [threading.Thread(target=read, args=(number,), daemon=True) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(found) == [f"SELECT {number}" for number in range(4)]
    assert 1 <= len(apart._idle) <= KEPT
