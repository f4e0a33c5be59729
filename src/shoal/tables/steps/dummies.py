"""Rows about people who do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Step
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.number_columns import Numbers
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

Int64 = NDArray[np.int64]

_BINS = 20
_TRIES = 60
_CHARACTERS = (str.isdigit, str.isupper, str.islower)


@dataclass(frozen=True)
class Dummies(Step[Table]):
    """Rows of invented people are mixed in, each put together from two real rows.

    A dummy takes a block of columns from another row, and only if every two of its values occur together in
    some real row (a number with more than 20 values counts by the twentieth it lies in), so that no dummy is
    a pregnant man. None equals a real row. Identifiers are made up in the shape of the column's own. Nothing
    in the release marks a dummy: every count is too high by them, and k counts them too. An attacker who can
    tell them apart sees smaller classes.

    Kido, Yanagisawa and Satoh, "An anonymous communication technique using dummies", 2005.
    """

    name: ClassVar[str] = "dummies"
    remark: ClassVar[str] = "every promise counts dummies as people, so whoever rules them out sees less"
    chance: ClassVar[str] = "some of its rows are about nobody"

    share: float = 0.05
    rows: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise BadParameter(f"dummies(share={self.share:g}) is not above 0 and up to 1; try 0.05")
        if self.rows is not None and self.rows < 1:
            raise BadParameter(f"dummies(rows={self.rows}) adds nobody; give 1 or more")

    def apply(self, table: Table, chance: np.random.Generator) -> Table:
        """The table with dummies at its end; releasing shuffles it."""
        wanted = max(1, round(self.share * table.rows)) if self.rows is None else self.rows
        if wanted > table.rows:
            raise BadParameter(
                f"dummies(rows={wanted}) asks for more than the {table.rows:,} rows there are; give fewer"
            )
        unique = [column for column in table.columns if _names_people(table, column)]
        blocks = [column for column in table.columns if column not in unique]
        if len(blocks) < 2:
            raise BadParameter("dummies needs two columns that do not name people; there is nothing to mix")
        codes = np.column_stack([_codes(table, column) for column in blocks])
        exact = np.column_stack([_exact(table.frame[column]) for column in blocks])
        found = _Mixed(codes, exact).draw(wanted, chance)
        if len(found) < wanted:
            raise BadParameter(
                f"only {len(found)} of {wanted} dummies can be told from no real row and yet be plausible; "
                "ask for fewer, or leave out columns in which everybody differs"
            )
        made = {column: table.frame[column].gather(found[:, c]) for c, column in enumerate(blocks)}
        for column in unique:
            made[column] = _invent_values(table.frame[column], wanted, chance)
        dummies = pl.DataFrame([made[column].alias(column) for column in table.columns])
        return table.with_frame(pl.concat([table.frame, dummies]))


class _Mixed:
    """Real rows, and which values occur together in them."""

    def __init__(self, codes: Int64, exact: Int64) -> None:
        self.codes, self.exact = codes, exact
        self.width = codes.max(axis=0) + 1
        self.pairs = {
            pair: np.unique(self._keys(codes, *pair)) for pair in combinations(range(codes.shape[1]), 2)
        }
        self.real = {row.tobytes() for row in exact}

    def _keys(self, codes: Int64, a: int, b: int) -> Int64:
        keys: Int64 = codes[:, a] * self.width[b] + codes[:, b]
        return keys

    def draw(self, wanted: int, chance: np.random.Generator) -> Int64:
        """Per dummy and column the row whose value it takes; fewer than wanted when there are no more."""
        rows, columns = self.codes.shape
        found: list[Int64] = []
        for _ in range(_TRIES):
            if len(found) >= wanted:
                break
            batch = max(256, 4 * wanted)
            host, guest = chance.integers(rows, size=(2, batch))
            block = chance.random((batch, columns)) < chance.random((batch, 1))
            source = np.where(block, guest[:, None], host[:, None])
            found += self._plausible(source)
        return np.array(found[:wanted], np.int64).reshape(-1, columns)

    def _plausible(self, source: Int64) -> Iterator[Int64]:
        columns = np.arange(self.codes.shape[1])
        codes = self.codes[source, columns]
        fine = np.ones(len(source), np.bool_)
        for (a, b), known in self.pairs.items():
            keys = self._keys(codes[fine], a, b)
            place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
            fine[fine] = known[place] == keys
        for one in source[fine]:
            if self.exact[one, columns].tobytes() not in self.real:
                yield one


def _names_people(table: Table, column: str) -> bool:
    """An identifier, or a text that differs in every row, such as a pseudonym."""
    if column in table.identifier:
        return True
    series = table.frame[column]
    return bool(
        series.dtype == pl.String and table.rows > 1 and not series.null_count() and series.is_unique().all()
    ) and column not in (*table.quasi, *table.sensitive)


def _exact(series: pl.Series) -> Int64:
    """Equal values as equal numbers, the missing value among them."""
    return texts(series).rank("dense").fill_null(0).to_numpy().astype(np.int64)


def _codes(table: Table, column: str) -> Int64:
    """The same, with the many values of a number by the twentieth they lie in."""
    exact = _exact(table.frame[column])
    if exact.max() <= _BINS:
        return exact
    try:
        numbers = Numbers.of(table, column, Dummies.name)
    except BadParameter:
        return exact
    known = numbers.values[numbers.known]
    borders = np.unique(np.quantile(known, np.linspace(0, 1, _BINS + 1)[1:-1]))
    return np.where(numbers.known, 1 + np.searchsorted(borders, numbers.values, "right"), 0)


def _invent_values(series: pl.Series, wanted: int, chance: np.random.Generator) -> pl.Series:
    """New values in the shape of a column's own: a digit for a digit, a letter for a letter."""
    own = texts(series).drop_nulls().to_list()
    taken = set(own)
    if not own:
        return pl.Series(series.name, [None] * wanted, dtype=series.dtype)
    alphabets = [sorted({sign for value in taken for sign in value if kind(sign)}) for kind in _CHARACTERS]
    whole = series.dtype.is_integer()
    made: list[str] = []
    for shape in chance.integers(len(own), size=wanted):
        value = own[shape]
        for _ in range(_TRIES):
            if value not in taken:
                break
            value = "".join(_sign(sign, alphabets, chance) for sign in own[shape])
            value = str(int(value)) if whole else value  # 007 is 7
        while value in taken:  # every value of this shape is taken: a longer one
            value += str(chance.integers(10))
        taken.add(value)
        made.append(value)
    return pl.Series(series.name, made, dtype=pl.String).cast(series.dtype, strict=False)


def _sign(sign: str, alphabets: list[list[str]], chance: np.random.Generator) -> str:
    for kind, alphabet in zip(_CHARACTERS, alphabets, strict=True):
        if kind(sign):
            return alphabet[int(chance.integers(len(alphabet)))]
    return sign
