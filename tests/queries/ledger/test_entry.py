"""Entries are tied to each other by everything that they say."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.queries.accounting.cost import Cost
from shoal.queries.ledger.entry import LARGEST, Entry, amount, brief, check_name, clean, now

ENTRY = Entry(3, "2026-01-01T00:00:00+00:00", "people", "ada", "reserve", Cost(5, 7), "SELECT 1", "")


@pytest.mark.parametrize(
    "other",
    [
        replace(ENTRY, id=4),
        replace(ENTRY, time="2026-01-01T00:00:01+00:00"),
        replace(ENTRY, dataset="peopl", analyst="eada"),
        replace(ENTRY, kind="refuse"),
        replace(ENTRY, cost=Cost(57, 0)),
        replace(ENTRY, cost=Cost(7, 5)),
        replace(ENTRY, question="SELECT 2"),
    ],
)
def test_a_link_depends_on_every_word(other: Entry) -> None:
    assert other.tied("a") != ENTRY.tied("a") != ENTRY.tied("b")


def test_an_entry_becomes_json_for_people() -> None:
    told = ENTRY.to_json()
    assert told["loss"] == 5e-12 and told["delta"] == 7e-18
    assert {"id", "time", "dataset", "analyst", "kind", "question"} < set(told)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=30))
def test_clean_text_can_be_written_anywhere_and_stays_clean(text: str) -> None:
    found = clean(text)
    found.encode("utf-8")
    assert "\0" not in found and clean(found) == found


@pytest.mark.parametrize("bad", ["", "a\0b", "x" * 201, "\ud800"])
def test_an_empty_or_unwritable_name_is_refused(bad: str) -> None:
    # the empty name is the account of all analysts together
    with pytest.raises(BadParameter, match="no name"):
        check_name(bad, "an analyst")


@pytest.mark.parametrize("bad", [Cost(-1, 0), Cost(0, -1), Cost(LARGEST + 1, 0), Cost(0, 2**70)])
def test_an_amount_below_nothing_or_beyond_64_bits_is_refused(bad: Cost) -> None:
    with pytest.raises(BadParameter, match="out of range"):
        amount(bad)
    assert amount(Cost(LARGEST, 0)) == Cost(LARGEST, 0)


def test_time_is_told_in_utc() -> None:
    assert now().endswith("+00:00") and len(now()) == 32


def test_what_cost_nothing_is_noted_in_brief() -> None:
    assert brief("SELECT 1") == "SELECT 1" and brief("x" * 500) == "x" * 500
    assert brief("x" * 501) == "x" * 500 + " … (501 characters)"
    assert brief("é" * 300) == "é" * 250 + " … (300 characters)"
    assert brief("a\ud800b\0") == "a\ud800b\0" and brief("\ud800" * 501).startswith("??")
