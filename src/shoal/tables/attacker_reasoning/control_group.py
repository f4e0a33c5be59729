"""People in the data against people who are not: what a release adds to what anybody could find out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from shoal.core.cache import remembered
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json, Rate
from shoal.core.randomness import generator
from shoal.tables.attacker_reasoning.scene import Scene

NO_CONTROL = (
    "; without --control nobody can tell what the release adds to what is true of people in general: "
    "hold some people out before you protect"
)


@dataclass(frozen=True)
class Contrast:
    """How often an attack succeeds on people in the data, and how often on people who are not in it.

    The risk is the share of the attacks that only the release makes succeed: of those that fail on people
    outside, how many more succeed on people inside (Giomi et al. 2023).
    """

    attacked: Rate
    control: Rate | None

    @property
    def risk(self) -> float | None:
        """From 0 to 1; None without a control group, or if nothing fails on it and nothing can be added."""
        if self.control is None or not self.control.targets or self.control.value == 1:
            return None
        return max(0.0, (self.attacked.value - self.control.value) / (1 - self.control.value))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the risk may lie: the errors of both rates, carried over to it."""
        if self.risk is None or self.control is None:
            return None
        (inside, own), (outside, theirs) = _wilson_centre(self.attacked), _wilson_centre(self.control)
        middle = (inside - outside) / (1 - outside)
        half = math.hypot(own / (1 - outside), theirs * (1 - inside) / (1 - outside) ** 2)
        # The centre of a Wilson interval is not the rate itself: the figure told must lie in what is told.
        low = min(max(0.0, middle - half), self.risk)
        return low, max(min(1.0, middle + half), self.risk)

    def to_json(self) -> dict[str, Json]:
        """The figures for the details of a finding."""
        interval = self.interval
        return {
            "control": None if self.control is None else self.control.value,
            "control_targets": 0 if self.control is None else self.control.targets,
            "risk": self.risk,
            "risk_interval": None if interval is None else list(interval),
        }


def _wilson_centre(rate: Rate) -> tuple[float, float]:
    low, high = rate.interval
    return (low + high) / 2, (high - low) / 2


@remembered
def sample_rows(frame: pl.DataFrame, number: int, seed: int | None) -> pl.DataFrame:
    """So many of the rows, in their order; all of them when there are no more."""
    if frame.height <= number:
        return frame
    rows = generator(seed or 0).choice(frame.height, number, replace=False)
    rows.sort()
    return frame[rows]


def truth(scene: Scene) -> pl.DataFrame:
    """The original, which must have somebody in it."""
    assert scene.original is not None
    if not scene.original.height:
        raise BadParameter("the original has no rows; give the table that the release was made from")
    return scene.original


def outsiders(scene: Scene, columns: Sequence[str], attack: str) -> pl.DataFrame | None:
    """The control group, which must have the columns that the attack looks at."""
    if scene.control is None or not scene.control.height:
        return None
    for column in columns:
        require(column, scene.control, "the control group", attack)
    return scene.control


def require(column: str, frame: pl.DataFrame, where: str, attack: str) -> None:
    """Refuse a column that is not there."""
    if column not in frame.columns:
        raise BadParameter(f"{attack} needs '{column}' in {where}, which has {', '.join(frame.columns)}")


def in_both(scene: Scene, given: Sequence[str], attack: str, but: Sequence[str] = ()) -> tuple[str, ...]:
    """The columns to look at: those given, else all that release and original share, but for some."""
    original = truth(scene)
    for column in given:
        require(column, scene.table.frame, "the release", attack)
        require(column, original, "the original", attack)
    left_out = {*but, *scene.table.identifier}
    found = tuple(given) or tuple(
        column for column in scene.table.columns if column in original.columns and column not in left_out
    )
    if not found:
        raise BadParameter(
            f"{attack} finds no column that the release ({', '.join(scene.table.columns)}) and the original "
            f"({', '.join(original.columns)}) share; name the same columns in both"
        )
    return found
