"""Texts that keep a parser busy: one generator per kind, each as long as it is let."""

from __future__ import annotations

from collections.abc import Callable

LONGEST = 20_000


def _row(before: str, part: str, after: str = " FROM t", end: str = "") -> Callable[[int], str]:
    def text(times: int) -> str:
        most = (LONGEST - len(before) - len(after) - 1) // (len(part) + len(end))
        times = min(times, most)
        return f"{before}{part * times}{'1' if end else ''}{end * times}{after}"

    return text


CHAINS = {
    "method calls": _row("SELECT a", ".f()"),
    "indexes": _row("SELECT a", "[1]"),
    "slices": _row("SELECT a", "[1:2]"),
    "dots": _row("SELECT a", ".b"),
    "casts": _row("SELECT a", "::int"),
    "casts to what nobody knows": _row("SELECT a", "::t"),
    "ands": _row("SELECT a", " AND b"),
    "ors with comments": _row("SELECT a", "/*x*/ OR b"),
    "joined texts": _row("SELECT a", "||b"),
    "sums": _row("SELECT a", "+b"),
    "powers": _row("SELECT a", "**b"),
    "negations": _row("SELECT ", "NOT ", "a FROM t"),
    "minuses": _row("SELECT ", "- ", "a FROM t"),
    "arrows": _row("SELECT a", "->'b'"),
    "lambdas": _row("SELECT f(", "x -> ", "1) FROM t"),
    "lambdas of two": _row("SELECT f(", "(x, y) -> ", "1) FROM t"),
    "list": _row("SELECT a IN (0", ",1", ") FROM t"),
    "cases": _row("SELECT CASE", " WHEN a THEN b", " END FROM t"),
    "cases in cases": _row("SELECT ", "CASE WHEN ", end=" THEN 1 END"),
    "isnot": _row("SELECT a", " IS NOT NULL"),
    "betweens": _row("SELECT a", " BETWEEN b AND c"),
    "texts": _row("SELECT a", " 'x'"),
    "comments": _row("SELECT a", "/*x*/"),
    "open comments": _row("SELECT a", "/*"),
    "unions": _row("SELECT 1", " UNION SELECT 1", ""),
    "columns": _row("SELECT a", ",b c"),
    "joins": _row("SELECT 1 FROM t", " JOIN u", ""),
    "left joins": _row("SELECT 1 FROM t", " LEFT JOIN u", ""),
    "joins with conditions": _row("SELECT 1 FROM t", " JOIN u ON a", ""),
    "joins with conditions at the end": _row("SELECT 1 FROM t", " JOIN u", "", end=" ON a"),
    "tables": _row("SELECT 1 FROM t", ",u", ""),
    "functions as tables": _row("SELECT 1 FROM f()", ", f()", ""),
    "pivots": _row("SELECT 1 FROM t", " PIVOT(a FOR b IN (c))", ""),
    "order": _row("SELECT 1 FROM t ORDER BY a", ",b DESC", ""),
    "windows": _row("SELECT f()", " OVER ()"),
    "withs": _row("WITH a AS (SELECT 1)", ", a AS (SELECT 1)", " SELECT 1"),
    "statements": _row("", "SELECT 1;", ""),
    "selects": _row("", "SELECT ", "1"),
}
NESTS = {
    "brackets": ("(", ")"),
    "functions": ("f(", ")"),
    "dates": ("DATE(", ")"),
    "decimals": ("DECIMAL(", ")"),
    "integers": ("INT(", ")"),
    "structures": ("STRUCT(", ")"),
    "timestamps": ("TIMESTAMP(1,", ")"),
    "dates in functions": ("DATE(f(", "))"),
    "casts": ("CAST(", " AS INT)"),
    "lists": ("[", "]"),
    "maps": ("{'a': ", "}"),
    "indexes": ("a[", "]"),
    "sub-queries": ("(SELECT ", ")"),
    "lambdas": ("f(x -> ", ")"),
    "ins": ("1 IN (", ")"),
    "exists": ("EXISTS(SELECT ", ")"),
    "tuples": ("(1,", ")"),
}


def texts() -> dict[str, str]:
    """Every kind: short, at the limit of tokens, and as long as characters allow."""
    found = {}
    for name, chain in CHAINS.items():
        for times in (40, 1_200, LONGEST):
            found[f"{times} {name}"] = chain(times)
    for name, (opening, closing) in NESTS.items():
        for times in (12, 30, 95):
            found[f"{times} nested {name}"] = f"SELECT {opening * times}1{closing * times} FROM t"
    return found
