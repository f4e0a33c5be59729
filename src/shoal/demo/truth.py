"""What only the demo can know: whether a name that the voter list gives is the right one."""

from __future__ import annotations

import polars as pl

from shoal.demo.hospital import LINKS

SHARED = LINKS[1:]  # what the voter list tells about a person besides the name


def count_identified(released: pl.DataFrame, people: pl.DataFrame) -> int:
    """How many rows that fit one person only, who fits no other row, are truly that person's."""

    def alone(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.filter(pl.len().over(SHARED) == 1)

    pairs = alone(people).join(alone(released), on=SHARED, how="inner", suffix="_true")
    return pairs.filter(pl.col("name") == pl.col("name_true")).height


def count_guessed(released: pl.DataFrame, listed: pl.DataFrame) -> int:
    """How many patients on the list have the diagnosis that is most frequent among the rows that fit them.

    This attacker knows for sure that the person is a patient. Who fits no row gets no guess.
    """
    counted = released.group_by(*SHARED, "diagnosis").len().sort("len", "diagnosis", descending=[True, False])
    guess = counted.unique(SHARED, keep="first", maintain_order=True).select(
        *SHARED, pl.col("diagnosis").alias("guess")
    )
    return listed.join(guess, on=SHARED, how="inner").filter(pl.col("guess") == pl.col("diagnosis")).height
