"""SQL about edges as trees that every engine takes, with tables put in their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp

    from shoal.engines.sql_engine import SqlEngine


def statement(text: str, engine: SqlEngine, /, **tables: exp.Table) -> exp.Query:
    """A SELECT of ours for an engine: names of tables stand for the ones given, DIGEST(x) for SHA-256."""
    from sqlglot import exp, parse_one

    tree = parse_one(text, dialect="duckdb")
    assert isinstance(tree, exp.Query)
    for place in list(tree.find_all(exp.Table)):
        if place.name in tables:
            known = tables[place.name].copy()
            known.set("alias", exp.TableAlias(this=exp.to_identifier(place.alias_or_name, quoted=True)))
            place.replace(known)
    for call in list(tree.find_all(exp.Anonymous)):
        if str(call.this).upper() == "DIGEST":
            call.replace(_digest(call.expressions[0].copy(), engine.dialect))
    return tree


def _digest(text: exp.Expression, dialect: str) -> exp.Expression:
    """The SHA-256 of a text in hexadecimal digits, ordered byte by byte."""
    from sqlglot import exp

    def call(name: str, *given: exp.Expression) -> exp.Expression:
        return exp.Anonymous(this=name, expressions=list(given))

    if dialect == "spark":
        return call("SHA2", text, exp.Literal.number(256))
    if dialect == "duckdb":
        return call("SHA256", text)
    digest = call("SHA256", call("CONVERT_TO", text, exp.Literal.string("UTF8")))
    return exp.Paren(
        this=exp.Collate(
            this=call("ENCODE", digest, exp.Literal.string("hex")),
            expression=exp.to_identifier("C", quoted=True),
        )
    )
