"""What COUNT, SUM, AVG and VARIANCE of one value have in common: numbers that every row is divided among.

A value x between l and h makes a row weigh (h - x) / (h - l) in one number and (x - l) / (h - l) in another:
together one, whatever x is. Squares take three numbers, the Bernstein polynomials of degree two,
(1 - t)² / 4, (1 - t²) / 2 and (1 + t)² / 4 for t from -1 to 1, again one together. A row without the value
weighs one in a number for those. So all of these numbers together move by the rows of one person and no
more, as a single count does: noise for the one reach is enough for all, nothing is split between them.
Count, sum and squares are sums of these numbers, and of the noise in them (a histogram of soft bins; of hard
ones Dwork, McSherry, Nissim, Smith 2006, section 3.1).

Of a count and a sum bounded by R, this is the pair count ± sum / R, whose reach is the corner of the square
that both can move in: half of the variance of two draws that share ε.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from shoal.queries.query import Mix, Primitive
from shoal.queries.sql.fixed_point import FixedPoint

FINE = 1024  # steps of a row at least, so that whole numbers are no coarser than their noise


@dataclass(frozen=True)
class SharedNumbers:
    """Numbers with one reach, and what is a sum of them."""

    primitives: tuple[Primitive, ...]
    first: int  # their place among all primitives
    weights: tuple[tuple[Fraction, ...], ...]  # of count, centred sum and squares, in this order
    centre: Fraction
    width: int  # in steps: what one row adds to all of them together
    complete: bool  # whether they count all rows, with a value or without

    def mix(self, power: int) -> Mix:
        """The count, the sum of distances from the centre, or that of their squares."""
        return _mix(self.first, self.weights[power])

    @property
    def total(self) -> Mix:
        """The sum of the values."""
        count, centred = self.weights[:2]
        return _mix(
            self.first, [self.centre * one + other for one, other in zip(count, centred, strict=True)]
        )

    @property
    def rows(self) -> Mix:
        """All rows, with a value or without, where they are complete."""
        return tuple((self.first + index, 1.0) for index in range(len(self.primitives)))


def share_between(
    steps: FixedPoint,
    counted: tuple[int, ...],
    rows: int | None,
    limit: tuple[int, int | None],
    place: tuple[int, int],
    centre: Fraction = Fraction(0),
    never_null: bool = False,
) -> SharedNumbers:
    """Numbers of a value in steps, given the engine's columns with its sum and count.

    With a third column, of squares, the steps are counted from a centre. `rows` is the column of all rows,
    for the number of those without a value; `limit` is how many rows one person has, and what the squares of
    their numbers in each group add up to; `place` are the index of
    the first number and of the part. A value that is `never_null` is in every row without such a column.
    """
    first, part = place
    if len(counted) == 2:
        total, number = counted
        low, high = steps.low, max(steps.high, steps.low + 1)
        weighed: list[tuple[tuple[int, int], ...]] = [
            ((total, -1), (number, high)),
            ((total, 1), (number, -low)),
        ]
        width, half = high - low, Fraction(high - low) * steps.grid / 2
        weights: list[tuple[Fraction, ...]] = [(Fraction(1), Fraction(1)), (-half, half)]
        centre = Fraction(low + high) * steps.grid / 2
    else:
        total, squares, number = counted
        reach = steps.reach
        ends = ((squares, 1), (number, reach**2))
        weighed = [
            (*ends, (total, -2 * reach)),
            ((number, 2 * reach**2), (squares, -2)),
            (*ends, (total, 2 * reach)),
        ]
        width, half = 4 * reach**2, reach * steps.grid
        one = Fraction(1)
        weights = [(one, one, one), (-half, 0 * half, half), (half**2, -(half**2), half**2)]
    if rows is not None:
        weighed.append(((rows, width), (number, -width)))
        weights = [(*part_weights, Fraction(0)) for part_weights in weights]
    times = -(-FINE // width)
    most, square = limit
    # However a row is divided among the numbers, it moves them by its weight in the Euclidean sense at most.
    squared = None if square is None or square >= most**2 else square * (width * times) ** 2
    primitives = tuple(
        Primitive(
            tuple((column, weight * times) for column, weight in terms),
            most * width * times,
            Fraction(1, width * times),
            part,
            squared,
        )
        for terms in weighed
    )
    complete = never_null or rows is not None
    return SharedNumbers(primitives, first, tuple(weights), centre, width * times, complete)


def _mix(first: int, weights: tuple[Fraction, ...] | list[Fraction]) -> Mix:
    return tuple((first + index, float(weight)) for index, weight in enumerate(weights) if weight)
