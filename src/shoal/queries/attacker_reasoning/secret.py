"""What an attacker is after: whether people have a value, or which number they have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.queries.endpoints.people import People
from shoal.queries.endpoints.question import Question, literal, name

Floats = NDArray[np.float64]
CLOSE = 0.01  # of the range of a number: as near as that is right


@dataclass(frozen=True)
class Secret:
    """A column, and the value that is asked for; without one the column is a number."""

    column: str
    value: str | float | bool | None = None

    @classmethod
    def of(cls, text: str, people: People) -> Secret:
        """A secret from `diagnosis=HIV` or `income`."""
        column, sign, value = text.partition("=")
        declared = people.column(column.strip())
        if not sign:
            return cls(declared.name)
        typed = pl.Series([value.strip()])
        found: str | float | bool | None = value.strip()
        if declared.kind in ("integer", "number"):
            found = typed.cast(pl.Float64 if declared.kind == "number" else pl.Int64, strict=False)[0]
        elif declared.kind == "boolean":
            found = {"true": True, "false": False}.get(value.strip().lower())
        if found is None:
            raise BadParameter(f"--secret {text}: {declared.name} is {declared.kind}, '{value}' is not")
        if found not in set(people.frame[declared.name].to_list()):
            raise BadParameter(f"nobody has {declared.name} = {value}; give a --secret that somebody has")
        return cls(declared.name, found)

    @property
    def binary(self) -> bool:
        """Whether it is yes or no."""
        return self.value is not None

    @property
    def condition(self) -> str:
        """Whoever has the value."""
        return f"{name(self.column)} = {literal(self.value)}"

    def question(self, who: str = "") -> Question:
        """How many of some people have the value, or what their numbers add up to."""
        if not self.binary:
            return Question(who, "sum", self.column)
        return Question(who, "count", self.column, literal(self.value))

    def truth(self, people: People) -> Floats:
        """1 for whoever has the value and 0 for all others, or the numbers."""
        column = people.frame[self.column]
        if self.binary:
            return np.asarray((column == self.value).fill_null(False), np.float64)
        if not column.dtype.is_numeric():
            value = str((column.drop_nulls().to_list() or ["VALUE"])[0])
            raise BadParameter(
                f"{self.column} is no number; say which value is the secret, as in --secret "
                f"{self.column}={value}, or declare it with --bounds {self.column}=0:100"
            )
        return column.cast(pl.Float64).fill_null(0.0).to_numpy()

    def right(self, estimates: Floats, truths: Floats) -> NDArray[np.bool_]:
        """Which estimates are right: on the right side of one half, or near enough to the number."""
        if self.binary:
            return np.asarray((estimates >= 0.5) == (truths >= 0.5))
        return np.asarray(np.abs(estimates - truths) <= CLOSE * max(float(np.ptp(truths)), 1e-9))

    def blind(self, truths: Floats) -> float:
        """The best guess of somebody who knows all but who is who, as an estimate."""
        if self.binary:
            return float(truths.mean() > 0.5)
        near = CLOSE * max(float(np.ptp(truths)), 1e-9)
        return float(max(truths, key=lambda guess: int((np.abs(truths - guess) <= near).sum())))

    def told(self, estimate: float) -> dict[str, Json]:
        """What was learned, in words."""
        if not self.binary:
            return {self.column: round(estimate, 6)}
        return {self.column: str(self.value) if estimate >= 0.5 else f"not {self.value}"}
