"""A wrong keyword argument is one sentence with the nearest name, never a TypeError."""

from typing import Any

import polars as pl
import pytest

import shoal as public
from shoal.core.errors import BadParameter
from shoal.jobs.request import check_keywords, check_words, request_of
from shoal.jobs.tables.requests import VerifyTable

shoal: Any = public  # what a type checker would tell, a notebook does not
FRAME = pl.DataFrame({"age": [1, 1, 2, 2], "ill": list("abab")})


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: shoal.protect(FRAME, quasy="age", k=2),
            r"'quasy' \(did you mean 'quasi'\?\); protect",
        ),
        (lambda: shoal.verify(FRAME, quasi="age", models="x"), r"'models' \(did you mean 'model'\?\)"),
        (lambda: shoal.measure(FRAME, quasi="age", orginal=FRAME), "did you mean 'original'"),
        (lambda: shoal.attack(FRAME, "linkage", externl=FRAME), "did you mean 'external'"),
        (lambda: shoal.compare(FRAME, quasi="age", supress=0.1), "did you mean 'suppress'"),
        (lambda: shoal.inspect(FRAME, seperator=";"), "did you mean 'separator'"),
        (lambda: shoal.read_table(FRAME, identifiers="age"), "did you mean 'identifier'"),
        (lambda: shoal.ask("SELECT 1", {"t": FRAME}, epsilon=1, units="age"), "did you mean 'unit'"),
        (lambda: shoal.open_database({"t": FRAME}, units="age"), "did you mean 'unit'"),
        (lambda: shoal.connect("http://localhost", "t", time_out=3), "did you mean 'timeout'"),
        (lambda: shoal.protect(FRAME, quasi="age", k=2, xyzzy=1), r"a table knows no 'xyzzy'; protect takes"),
    ],
)
def test_every_function_names_the_nearest_word(call: Any, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        call()


def test_known_words_make_the_request() -> None:
    assert request_of(VerifyTable, FRAME, {"k": 3}).k == 3
    check_words("it", "it", ["a", "b"], ["b"])


def test_a_worded_function_is_the_function() -> None:
    def add(one: int, *, other: int = 1) -> int:
        """Adds."""
        return one + other

    asked: Any = check_keywords(add)
    assert asked(2, other=3) == 5 and asked(one=2) == 3 and asked.__doc__ == "Adds."
    with pytest.raises(
        BadParameter, match=r"add knows no 'othr' \(did you mean 'other'\?\); it takes one, other"
    ):
        asked(1, othr=2)
