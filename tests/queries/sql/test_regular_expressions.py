"""Patterns are read and written anew; what could take long is not understood. See also test_text_searches."""

import re

import pytest

from shoal.queries.sql.regular_expressions import Unreadable, read_pattern


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("a.b", "a.b"), (r"\d+", "[0-9]+"), ("(a|b)", "(?:a|b)"), (r"[\w-]", r"[0-9A-Za-z_\-]"),
        ("a{2,3}?", "a{2,3}"), (r"\/", "/"), (r"\.", r"\."), ("[^]a]", r"[^\]a]"),
    ],
)  # fmt: skip
def test_a_pattern_is_written_anew(pattern: str, written: str) -> None:
    assert read_pattern(pattern).text == written
    re.compile(written)


def test_groups_are_told_apart_where_they_are_needed() -> None:
    found = read_pattern("(a)(?:b)(c+?)", capture=True)
    assert (found.text, found.groups) == ("(a)(?:b)(c+?)", 2)


@pytest.mark.parametrize(
    "pattern", ["", "x" * 201, "(" * 20 + ")" * 20, "a{50}{2}", "((a{50}){9})", "(?<x>a)"]
)
def test_what_is_not_understood_or_too_large_is_refused(pattern: str) -> None:
    with pytest.raises(Unreadable):
        read_pattern(pattern)
