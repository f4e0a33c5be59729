"""The words of a topic are written as column names are read, and every topic has one way to be called."""

import re

import pytest

from shoal.tables.discovery.column_names import topic
from shoal.tables.discovery.name_vocabulary import DIRECT, HARMLESS, PERSON, QUASI, SAID, SENSITIVE
from shoal.tables.discovery.patterns import PATTERNS

ALL = {**DIRECT, **QUASI, **SENSITIVE, **HARMLESS}


@pytest.mark.parametrize("name", ALL)
def test_hints_are_plain_words_with_their_signs(name: str) -> None:
    for hint in (part.strip() for part in ALL[name].split(",")):
        assert re.fullmatch(r"=?(?:\{person\}|[a-z0-9*]+)(?: (?:\{person\}|[a-z0-9*]+))*", hint), hint


def test_no_topic_is_in_two_roles() -> None:
    assert len(ALL) == len(DIRECT) + len(QUASI) + len(SENSITIVE) + len(HARMLESS)
    assert set(SAID) <= set(ALL)


def test_every_direct_topic_but_bare_codes_is_a_pattern() -> None:
    assert set(DIRECT) - {"code"} == {pattern.name for pattern in PATTERNS} & set(DIRECT)


@pytest.mark.parametrize("person", sorted({word.strip() for word in PERSON.split(",")}))
def test_a_number_of_anybody_is_a_number_given_to_a_person(person: str) -> None:
    told = topic(f"{person.replace(' ', '_')}_id", DIRECT)
    assert told in ("person-code", "medical-record", "account", "health-plan"), told
