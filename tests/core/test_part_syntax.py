"""A part as a user writes it, and back."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import build, parameters, replace_parameter, spell, split


@dataclass(frozen=True)
class Part:
    """A part with a parameter of every kind."""

    name: ClassVar[str] = "part"

    k: int
    share: float = 0.5
    kind: Literal["round", "square"] = "round"
    column: str | None = None
    values: tuple[str, ...] = ()
    time_limit: float | None = None


def test_only_what_differs_from_the_default_is_spelled() -> None:
    assert spell(Part(3)) == "part(k=3)"
    assert spell(Part(3, 0.25, "square", "zip", ("a", "b"), 3.0)) == (
        "part(k=3,share=0.25,kind=square,column=zip,values=a|b,time-limit=3)"
    )


def test_a_value_with_a_sign_of_the_grammar_stands_in_quotes() -> None:
    assert spell(Part(1, column="city, state")) == 'part(k=1,column="city, state")'
    assert spell(Part(1, column='"')) == 'part(k=1,column="""")'


texts = st.text(st.sampled_from('ab,"|=() \t\nü'), max_size=6)


@given(
    st.builds(
        Part,
        k=st.integers(),
        share=st.floats(allow_nan=False),
        kind=st.sampled_from(["round", "square"]),
        column=st.none() | texts,
        values=st.lists(texts, max_size=3).map(tuple),
        time_limit=st.none() | st.floats(allow_nan=False),
    )
)
def test_what_is_spelled_is_built_again(part: Part) -> None:
    name, given = split(spell(part))
    assert name == "part" and build(Part, given) == part


def test_spaces_and_underscores_do_not_matter() -> None:
    name, given = split(" part ( k = 3 , time_limit = 2 ) ")
    assert (name, build(Part, given)) == ("part", Part(3, time_limit=2.0))
    assert split("part") == ("part", {}) == split("part()")


@pytest.mark.parametrize(
    "text", ["", "part(", "part)", "(k=1)", "Part(k=1)", "part(k=1) x", "part(k)", "part(=1"]
)
def test_what_is_no_spelling_is_refused(text: str) -> None:
    with pytest.raises(BadParameter):
        split(text)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("part", "needs k"),
        ("part(k=x)", "'x' is not a whole number"),
        ("part(k=1.5)", "'1.5' is not a whole number"),
        ("part(k=1,share=much)", "'much' is not a number"),
        ("part(k=1,size=3)", "no parameter 'size'; it has k, share, kind, column, values, time-limit"),
    ],
)
def test_a_parameter_that_cannot_be_is_named(text: str, cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        build(Part, split(text)[1])


def test_a_parameter_stands_once() -> None:
    with pytest.raises(BadParameter, match="names k twice, as 1 and 2"):
        split("part(k=1,k=2)")


def test_the_signature_shows_defaults() -> None:
    assert parameters(Part) == "k, share=0.5, kind=round, column, values=, time-limit"


def test_one_parameter_is_changed_and_the_rest_left_as_it_is() -> None:
    assert replace_parameter("part(k=3,column=a)", "column", str.upper) == "part(k=3,column=A)"
    assert (
        replace_parameter('part(column="a,b",k=3)', "column", lambda text: f"{text}|c")
        == 'part(column="a,b|c",k=3)'
    )
    assert replace_parameter("part( k = 3 )", "column", str.upper) == "part( k = 3 )"


def test_a_share_may_be_written_in_per_cent() -> None:
    made = catalog.make("model", "lkc(L=2,K=2,C=50%)")
    assert made.C == 0.5
    with pytest.raises(BadParameter, match="is not a number"):
        catalog.make("model", "lkc(L=2,K=2,C=half%)")
