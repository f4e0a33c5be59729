"""Whether and where a text holds something: LIKE, STARTS_WITH, POSITION and regular expressions."""

from __future__ import annotations

import re

from sqlglot import exp

from shoal.queries.sql.allow_list import only
from shoal.queries.sql.conditionals import by_code_point
from shoal.queries.sql.regular_expressions import Pattern, Unreadable, read_pattern
from shoal.queries.sql.text_functions import cut, textual, written
from shoal.queries.sql.value_properties import (
    Cell,
    Walk,
    boolean,
    call,
    call_on,
    constant,
    image,
    in_parentheses,
    integer,
    refuse,
    text,
)
from shoal.queries.sql.work_limit import LONGEST, TIMES, times

_WILD = 5  # as many % in a pattern; with _ in it, matching takes longer the more there are
_OTHER_CASE = 10  # times LIKE: letters beyond ASCII are looked up
_EVERYWHERE = 80  # times a quick function: every letter may be a match
_REPLACEMENT = 50  # characters that stand for a match
_REFERENCES = 5  # groups of a match in what stands for it
_REFERENCE = re.compile(r"\\([0-9])|\\")


def _tries(pattern: str, cell: Cell) -> int:
    """How often a text is gone through at most: what is behind a % is tried at each of its letters."""
    thousands = -(-(LONGEST if cell.length is None else cell.length) // LONGEST)
    return max(1, thousands) * max([1, *(len(piece) for piece in pattern.split("%")[1:])])


def like(node: exp.Expression, walk: Walk) -> Cell:
    """LIKE and ILIKE with a written pattern."""
    only(node, "this", "expression", "negate")
    plain = isinstance(node, exp.Like)
    cell = textual(node.this, walk)
    pattern = constant(textual(node.expression, walk))
    if not isinstance(pattern, str):
        refuse(node, "LIKE takes a written pattern such as 'A%'")
    if pattern.count("%") > (2 if "_" in pattern else _WILD):
        refuse(node, f"a pattern has at most {_WILD} of %, or 2 besides _; use several LIKE with AND")
    if not plain:
        cell = cut(cell)  # PostgreSQL converts the whole text to lower case first
    make = exp.Like if plain else exp.ILike
    sql: exp.Expression
    if walk.dialect == "spark":
        sql = _linear_like(cell.sql.copy(), pattern, plain)
    else:
        sql = make(this=in_parentheses(cell.sql.copy()), expression=exp.Literal.string(pattern))
    sql.meta[TIMES] = _tries(pattern, cell) * (1 if plain else _OTHER_CASE)
    if walk.dialect == "spark":
        sql = exp.Paren(this=sql)
    if node.args.get("negate"):
        sql = exp.Not(this=exp.Paren(this=sql))
    return boolean(sql, cell.missing)


def _linear_like(sql: exp.Expression, pattern: str, plain: bool) -> exp.Expression:
    """LIKE as a pattern of Java's that never goes back behind what it has found.

    Spark makes `.*a.*b` of '%a%b', which takes the length of the text to the power of the number of %. What
    stands first is found first, and nothing is lost by staying there: all pieces have fixed lengths.
    """
    first, *pieces = (
        "".join("." if letter == "_" else _as_itself(letter) for letter in piece)
        for piece in (pattern if plain else pattern.lower()).split("%")
    )
    found = "".join(f"(?>.*?{piece})" for piece in pieces[:-1] if piece)
    end = f".*{pieces[-1]}" if pieces else ""
    value = in_parentheses(sql) if plain else call("LOWER", sql)
    return exp.RegexpLike(this=value, expression=exp.Literal.string(rf"(?s)\A{first}{found}{end}\z"))


def _as_itself(letter: str) -> str:
    return letter if letter.isalnum() or not letter.isascii() else f"\\{letter}"


def starts_with(node: exp.Expression, walk: Walk) -> Cell:
    """STARTS_WITH and ENDS_WITH a written text."""
    only(node, "this", "expression")
    cell = textual(node.this, walk)
    wanted = written(node.args.get("expression"), node, walk, 0)
    first = isinstance(node, exp.StartsWith)
    size = exp.Literal.number(len(wanted))
    part = call_on(cell, "LEFT" if first else "RIGHT", size, thousand=1 if first else 3)
    return boolean(exp.EQ(this=part, expression=exp.Literal.string(wanted)), cell.missing)


def position(node: exp.Expression, walk: Walk) -> Cell:
    """POSITION, STRPOS and INSTR: where a written text begins first, counted from 1; 0 where it does not."""
    only(node, "this", "substr")
    cell = textual(node.this, walk)
    wanted = written(node.args.get("substr"), node, walk, 1)
    found = call_on(cell, "STRPOS", exp.Literal.string(wanted), thousand=5)
    sql = exp.cast(found, exp.DataType.Type.BIGINT, copy=False)
    high = float(_longest(cell))
    return integer(0.0, high, cell.missing, sql=sql, domain=image(lambda value: value.find(wanted) + 1, cell))


def contains(node: exp.Expression, walk: Walk) -> Cell:
    """CONTAINS a written text."""
    only(node, "this", "expression")
    found = position(exp.StrPosition(this=node.this, substr=node.args.get("expression")), walk)
    return boolean(exp.GT(this=found.sql, expression=exp.Literal.number(0)), found.missing)


def _longest(cell: Cell) -> int:
    return 10_000 if cell.length is None else cell.length


def _pattern(node: exp.Expression, capture: bool) -> Pattern:
    literal = node.args.get("expression")
    if not isinstance(literal, exp.Literal) or not literal.is_string:
        refuse(node, "a regular expression is written out, such as '^A[0-9]+$'")
    try:
        return read_pattern(str(literal.this), capture)
    except Unreadable as error:
        refuse(node, f"{error}; write letters, classes such as [0-9], groups, |, repetitions, ^ and $")


def matches(node: exp.Expression, walk: Walk) -> Cell:
    """REGEXP_MATCHES and ~: whether a pattern is found anywhere in the text."""
    only(node, "this", "expression")
    if walk.dialect == "spark":
        refuse(node, "on Spark a regular expression could take very long; use LIKE, POSITION or SPLIT_PART")
    pattern = _pattern(node, capture=False)
    cell = cut(textual(node.this, walk))
    found = exp.Literal.string(pattern.text)
    sql: exp.Expression
    if walk.dialect == "postgres":
        sql = exp.RegexpLike(this=in_parentheses(by_code_point(cell, walk)), expression=found)
    else:
        sql = call("REGEXP_MATCHES", cell.sql.copy(), found, exp.Literal.string("s"))
    # PostgreSQL builds the automaton when the first row comes to it, perhaps one person's, which takes time
    # by the square of its states: 0.14 s for 257 of them.
    sql.meta[TIMES] = 10 + pattern.states**2 // 40
    return boolean(exp.Paren(this=sql), cell.missing)


def _only_linear(node: exp.Expression, walk: Walk) -> None:
    if walk.dialect == "postgres":
        refuse(node, "in PostgreSQL it could take very long; use SPLIT_PART, REPLACE, SUBSTRING or ~")
    if walk.dialect == "spark":
        refuse(node, "on Spark it could take very long; use SPLIT_PART, REPLACE, SUBSTRING or LIKE")


def replace_match(node: exp.Expression, walk: Walk) -> Cell:
    """REGEXP_REPLACE of the first match, with 'g' of all; in DuckDB alone, whose engine is linear."""
    only(node, "this", "expression", "replacement", "modifiers", "single_replace")
    _only_linear(node, walk)
    pattern = _pattern(node, capture=True)
    new, options = node.args.get("replacement"), node.args.get("modifiers")
    flags = str(options.this) if isinstance(options, exp.Literal) else "" if options is None else "?"
    if not isinstance(new, exp.Literal) or not new.is_string or flags not in ("", "g"):
        refuse(node, "write REGEXP_REPLACE(x, 'pattern', 'text') or with 'g' as a fourth")
    into = str(new.this)
    references = _REFERENCE.findall(into)
    known = all(group and int(group) <= pattern.groups for group in references)
    if len(into) > _REPLACEMENT or len(references) > _REFERENCES or not known or not into.isprintable():
        refuse(
            node,
            f"what stands for a match has {_REPLACEMENT} letters and {_REFERENCES} groups as \\1 at most",
        )
    cell = cut(textual(node.this, walk))
    arguments = [exp.Literal.string(part) for part in (pattern.text, into, f"{flags}s")]
    replaced = call("REGEXP_REPLACE", cell.sql.copy(), *arguments)
    replaced.meta[TIMES] = times(_EVERYWHERE if flags else 6, cell.length) + pattern.states // 20
    return text(call("LEFT", replaced, exp.Literal.number(LONGEST)), cell.missing, LONGEST, None)


def extract_match(node: exp.Expression, walk: Walk) -> Cell:
    """REGEXP_EXTRACT: the first match or a group of it, nothing where there is none; in DuckDB alone."""
    only(node, "this", "expression", "group", "null_if_pos_overflow")
    _only_linear(node, walk)
    pattern = _pattern(node, capture=True)
    wanted = node.args.get("group")
    group = 0 if wanted is None else constant(walk.cell(wanted))
    if not isinstance(group, int) or isinstance(group, bool) or not 0 <= group <= pattern.groups:
        refuse(node, f"the pattern has {pattern.groups} groups; name one of them, or none")
    cell = cut(textual(node.this, walk))
    arguments = [exp.Literal.string(pattern.text), exp.Literal.number(group), exp.Literal.string("s")]
    found = call("REGEXP_EXTRACT", cell.sql.copy(), *arguments)
    found.meta[TIMES] = times(6, cell.length) + pattern.states // 20
    return text(found, cell.missing, cell.length, None)
