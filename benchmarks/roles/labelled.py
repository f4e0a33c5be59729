"""Columns with the roles that an expert would give them, and made-up values in the style of real tables.

`[name] rows` begins a table; then one line per column: `name | roles | values`. The first role is the best
one, others after a slash are as good as any expert's. Values are one of

    pick a; b; c       one of these, the first ones more often
    same x             always x
    int 1 9            whole numbers; `skew 0 9` has low ones more often
    dec 0 1 2          numbers with 2 decimals
    serial 7           7, 8, 9 … shuffled
    date 1990 2020     a day, with a format of strftime if one is given
    code A##-@         # is a digit, @ a letter
    from C a;b;c       what column C says, renamed
    first, last, full, last_first, email, phone, street, city, state, country, postcode, text, ip, uuid, hash,
    iban, card, nhs, dni, nir, deidnr

and `?0.3` at the end leaves three of ten blank. The same file always gives the same values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import get_args

import polars as pl

from benchmarks.roles.values import MAKERS, make
from shoal.tables.column_decisions import Role

HERE = Path(__file__).parent
PARTS = ("development", "held-out")
_BLANKS = re.compile(r"\s\?(0?\.\d+)$")


@dataclass(frozen=True)
class Label:
    """The roles that are right for a column, the best one first."""

    roles: tuple[Role, ...]

    @property
    def best(self) -> Role:
        return self.roles[0]


@dataclass(frozen=True)
class Labelled:
    """A table with a label for every column."""

    name: str
    frame: pl.DataFrame
    labels: dict[str, Label]


def labelled(part: str) -> list[Labelled]:
    """The tables of one part, `development` or `held-out`."""
    text = (HERE / f"{part.replace('-', '_')}.txt").read_text("utf-8")
    return list(_tables(text))


def _tables(text: str) -> Iterator[Labelled]:
    for block in re.split(r"^(?=\[)", text, flags=re.MULTILINE)[1:]:
        head, *lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        name, rows = re.fullmatch(r"\[(.+)\] (\d+)", head).groups()  # type: ignore[union-attr]
        columns: dict[str, list[str | None]] = {}
        labels: dict[str, Label] = {}
        for line in lines:
            column, roles, values = line.split(" | ")
            labels[column] = Label(tuple(_role(role) for role in roles.split("/")))
            columns[column] = _values(f"{name}/{column}", values, int(rows), columns)
        yield Labelled(name, pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)), labels)


def _role(word: str) -> Role:
    for role in get_args(Role):
        if role == word:
            return role  # type: ignore[no-any-return]
    raise ValueError(f"no role '{word}'; there is {', '.join(get_args(Role))}")


def _values(seed: str, spec: str, rows: int, before: dict[str, list[str | None]]) -> list[str | None]:
    chance = Random(seed)
    blanks = _BLANKS.search(spec)
    kind, _, rest = _BLANKS.sub("", spec).partition(" ")
    found: list[str | None]
    if kind == "from":
        source, _, names = rest.partition(" ")
        found = _renamed(before[source], names)
    elif kind in MAKERS:
        found = list(make(kind, rest, rows, chance))
    else:
        raise ValueError(f"no kind of values '{kind}'; there is from, {', '.join(MAKERS)}")
    share = float(blanks[1]) if blanks else 0.0
    return [None if chance.random() < share else value for value in found]


def _renamed(source: list[str | None], names: str) -> list[str | None]:
    distinct = sorted({value for value in source if value is not None})
    chosen = names.split(";") if names else [f"Position {chr(65 + place)}" for place in range(len(distinct))]
    return [None if value is None else chosen[distinct.index(value) % len(chosen)] for value in source]
