"""How likely somebody is in the data: by answers, by the closest row of a table, or by two densities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST = 0.1  # rows that are everywhere: where there is nobody, two densities do not differ
CHUNK = 256  # people at a time
NARROW = 0.05  # of the usual width: an attack looks for copies, not for a smooth curve
STRAY = 0.01  # chance that a category differs, in the kernel of a density


def inner_product(people: Floats, shares: Floats, usual: Floats, known: int) -> Floats:
    """How far each leans to where the answers lean away from the population.

    Attributes count by how rare they are; `known` people tell what is usual, which tames those that are rare.
    """
    weight = 1 / (usual * (1 - usual) + 1 / known)
    return np.asarray((people - usual) @ ((shares - usual) * weight), np.float64)


@dataclass(frozen=True, eq=False)
class Coded:
    """Rows as numbers: those of number columns in units of their spread, and codes of all others."""

    numbers: Floats
    codes: NDArray[np.int64]

    @classmethod
    def several(
        cls, frames: Sequence[pl.DataFrame], numbers: Sequence[str], texts: Sequence[str]
    ) -> list[Coded]:
        """Frames of the same columns, coded alike; the last one says how far numbers spread."""
        scale = {
            one: max(float(np.nanstd(frames[-1][one].cast(pl.Float64).to_numpy())), 1e-9) for one in numbers
        }
        levels = {
            one: pl.concat([frame[one].cast(pl.String) for frame in frames]).unique().sort() for one in texts
        }
        made = []
        for frame in frames:
            columns = [frame[one].cast(pl.Float64).fill_null(0.0).to_numpy() / scale[one] for one in numbers]
            coded = [
                frame[one]
                .cast(pl.String)
                .cast(pl.Enum(levels[one].drop_nulls()))
                .to_physical()
                .cast(pl.Int64)
                for one in texts
            ]
            made.append(
                cls(
                    np.array(columns).T.reshape(frame.height, len(columns)),
                    np.array([one.fill_null(-1).to_numpy() for one in coded]).T.reshape(
                        frame.height, len(coded)
                    ),
                )
            )
        return made

    def __len__(self) -> int:
        return len(self.numbers)


def closeness(people: Coded, rows: Coded) -> Floats:
    """Less the distance to the closest row: differences of numbers, and how many other values differ."""
    return np.concatenate([-_distances(part, rows).min(axis=1) for part in _parts(people)])


def log_density(people: Coded, rows: Coded) -> Floats:
    """The logarithm of a density at each person, by a kernel around every row.

    Numbers have a normal kernel, narrower than Scott's, all other values a chance to stray.
    """
    numbers = rows.numbers.shape[1]
    width = NARROW * len(rows) ** (-1 / (numbers + 4))
    stray = np.log(STRAY / (1 - STRAY))
    found = []
    for part in _parts(people):
        exponents = np.zeros((len(part), len(rows)))
        for column in range(numbers):
            gap = (part.numbers[:, column, None] - rows.numbers[None, :, column]) / width
            exponents -= 0.5 * gap * gap
        for column in range(rows.codes.shape[1]):
            exponents += stray * (part.codes[:, column, None] != rows.codes[None, :, column])
        found.append(np.log((np.exp(exponents).sum(axis=1) + LEAST) / len(rows)))
    return np.concatenate(found)


def _distances(part: Coded, rows: Coded) -> Floats:
    total = np.zeros((len(part), len(rows)))
    for column in range(rows.numbers.shape[1]):
        total += np.abs(part.numbers[:, column, None] - rows.numbers[None, :, column])
    for column in range(rows.codes.shape[1]):
        total += part.codes[:, column, None] != rows.codes[None, :, column]
    return total


def _parts(people: Coded) -> list[Coded]:
    return [
        Coded(people.numbers[at : at + CHUNK], people.codes[at : at + CHUNK])
        for at in range(0, len(people), CHUNK)
    ]
