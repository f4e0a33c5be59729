"""Random expressions over keys and aggregates, in our words and in words in which DuckDB does not fail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st

NUMBERS: tuple[float | None, ...] = (None, 0.0, 1.0, -1.0, 2.5, -2.5, 0.5, 3.0, 1e300, -1e300, 0.1, 7.25)
TEXTS = (None, "", "a", "b", "ab", "aab", "a%b", "B", "é", "a_b", "a\nb")
TRUTHS = (None, True, False)
PATTERNS = ("a%", "%b", "_", "%", "", "a_b", "%a%b%", "a", "%_%_%", "a%b", "%\n%")


@dataclass(frozen=True)
class Twin:
    """An expression in our words, and in words in which DuckDB gives null instead of failing."""

    ours: str
    duck: str


def tame(duck: str) -> str:
    return f"list_filter([TRY({duck})], lambda v: isfinite(v))[1]"


def number_literal(value: float) -> Twin:
    return Twin(repr(value), f"CAST('{value!r}' AS DOUBLE)")


def text_literal(value: str) -> Twin:
    quoted = "'" + value.replace("'", "''") + "'"
    return Twin(quoted, quoted)


def made(form: str, *parts: Twin, number: bool = False) -> Twin:
    duck = form.format(*(part.duck for part in parts))
    return Twin(f"({form.format(*(part.ours for part in parts))})", tame(duck) if number else f"({duck})")


def plain(*names: str) -> st.SearchStrategy[Twin]:
    return st.sampled_from([Twin(name, name) for name in names])


Twins = st.SearchStrategy[Twin]


def choices(kind: Twins, truths: Twins, texts: Twins) -> list[Twins]:
    """The forms that take any kind and give the same."""
    return [
        st.builds(lambda a, b: made("COALESCE({0}, {1})", a, b), kind, kind),
        st.builds(lambda a, b: made("NULLIF({0}, {1})", a, b), kind, kind),
        st.builds(lambda a, b, c: made("LEAST({0}, {1}, {2})", a, b, c), kind, kind, kind),
        st.builds(lambda a, b: made("GREATEST({0}, {1})", a, b), kind, kind),
        st.builds(lambda c, a, b: made("CASE WHEN {0} THEN {1} ELSE {2} END", c, a, b), truths, kind, kind),
        st.builds(lambda c, a: made("CASE WHEN {0} THEN {1} END", c, a), truths, kind),
        st.builds(
            lambda k, o, a, b: made("CASE {0} WHEN {1} THEN {2} WHEN NULL THEN {2} ELSE {3} END", k, o, a, b),
            texts, texts, kind, kind,
        ),
    ]  # fmt: skip


def relations(kind: Twins) -> list[Twins]:
    """The forms that take any kind and give a truth."""
    signs = st.sampled_from(["=", "<>", "<", "<=", ">", ">="])
    return [
        st.builds(lambda s, a, b: made(f"{{0}} {s} {{1}}", a, b), signs, kind, kind),
        st.builds(lambda a: made("{0} IS NULL", a), kind),
        st.builds(lambda a: made("{0} IS NOT NULL", a), kind),
        st.builds(lambda a, b, c: made("{0} BETWEEN {1} AND {2}", a, b, c), kind, kind, kind),
        st.builds(lambda a, b, c: made("{0} NOT IN ({1}, {2}, NULL)", a, b, c), kind, kind, kind),
        st.builds(lambda a, b, c: made("{0} IN ({1}, {2})", a, b, c), kind, kind, kind),
    ]


@cache
def numbers(depth: int) -> Twins:
    leaves = [plain("a0", "a1", "k2"), st.sampled_from([0.0, 1.0, 2.0, 0.5, 1e10]).map(number_literal)]
    if not depth:
        return st.one_of(leaves)
    below = numbers(depth - 1)
    signs, functions = ["+", "-", "*", "/", "%"], ["ABS", "FLOOR", "CEIL", "ROUND", "SQRT", "-"]
    return st.one_of(
        *leaves,
        st.builds(
            lambda s, a, b: made(f"{{0}} {s} {{1}}", a, b, number=True), st.sampled_from(signs), below, below
        ),
        st.builds(lambda f, a: made(f"{f}({{0}})", a, number=True), st.sampled_from(functions), below),
        st.builds(lambda n, a: made(f"ROUND({{0}}, {n})", a, number=True), st.integers(-2, 3), below),
        *choices(below, truths(depth - 1), texts(depth - 1)),
    )


@cache
def texts(depth: int) -> Twins:
    leaves = [
        plain("k0", "k1"),
        st.sampled_from([text for text in TEXTS if text is not None]).map(text_literal),
    ]
    if not depth:
        return st.one_of(leaves)
    below = texts(depth - 1)
    return st.one_of(
        *leaves,
        st.builds(lambda a, b: made("{0} || {1}", a, b), below, below),
        *choices(below, truths(depth - 1), below),
    )


@cache
def truths(depth: int) -> Twins:
    leaves = plain("k3", "TRUE", "FALSE")
    if not depth:
        return leaves
    below, words = truths(depth - 1), texts(depth - 1)
    return st.one_of(
        leaves,
        st.builds(
            lambda s, a, b: made(f"{{0}} {s} {{1}}", a, b), st.sampled_from(["AND", "OR"]), below, below
        ),
        st.builds(lambda a: made("NOT {0}", a), below),
        st.builds(lambda s, a: made(f"{{0}} IS {s}", a), st.sampled_from(["TRUE", "NOT FALSE"]), below),
        st.builds(
            lambda s, p, a: made(f"{{0}} {s} '{p}'", a),
            st.sampled_from(["LIKE", "NOT LIKE"]), st.sampled_from(PATTERNS), words,
        ),
        *relations(numbers(depth - 1)), *relations(words), *relations(below), *choices(below, below, words),
    )  # fmt: skip


anything = st.one_of(numbers(3), texts(3), truths(3))
# Logarithms and powers differ in the last digit between libraries, so nothing is built on top of them.
tops = st.one_of(
    numbers(3), texts(3), truths(3),
    st.builds(lambda f, a: made(f"{f}({{0}})", a, number=True), st.sampled_from(["LN", "EXP"]), numbers(2)),
    st.builds(lambda a, b: made("POWER({0}, {1})", a, b, number=True), numbers(1), numbers(1)),
    st.builds(
        lambda t, a: made(f"CAST({{0}} AS {t})", a, number=True),
        st.sampled_from(["INTEGER", "BIGINT", "DOUBLE"]), numbers(2),
    ),
    st.builds(lambda a: made("CAST({0} AS VARCHAR)", a), truths(2)),
)  # fmt: skip
rows = st.lists(
    st.tuples(
        st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from(NUMBERS), st.sampled_from(TRUTHS),
        st.sampled_from(NUMBERS), st.sampled_from(NUMBERS),
    ),
    min_size=1, max_size=8,
)  # fmt: skip
NAMES = ("k0", "k1", "k2", "k3", "a0", "a1")
