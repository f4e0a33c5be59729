"""The running example of δ-presence: nine people, five of them in the private table (Nergiz et al. 2007)."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.delta_presence import DeltaPresence
from shoal.tables.table import Table

PEOPLE = {
    "a": ("47906", "USA"), "b": ("47903", "Canada"), "c": ("47906", "USA"), "d": ("47630", "Brazil"),
    "e": ("47630", "Brazil"), "f": ("47633", "Peru"), "g": ("48973", "Spain"), "h": ("48972", "Bulgaria"),
    "i": ("48970", "France"),
}  # fmt: skip
CONTINENT = {
    "USA": "America", "Canada": "America", "Brazil": "America", "Peru": "America", "Spain": "Europe",
    "Bulgaria": "Europe", "France": "Europe",
}  # fmt: skip


def frame(who: str) -> pl.DataFrame:
    return pl.DataFrame([PEOPLE[one] for one in who], schema=["zip", "from"], orient="row")


ZIPS = sorted({code for code, _ in PEOPLE.values()})
HIERARCHIES = {
    "zip": Hierarchy.of_levels([ZIPS, [code[:2] + "***" for code in ZIPS]]),
    "from": Hierarchy.of_levels([list(CONTINENT), list(CONTINENT.values())]),
}


def test_the_example_is_present_between_a_half_and_two_thirds() -> None:
    table = Table(frame("bcfhi"), (), ("zip", "from"), (), HIERARCHIES, frame("abcdefghi"))
    release = Optimal(seed=1).protect(table, [DeltaPresence(0.5, 0.6667)])
    assert release.levels == {"zip": 1, "from": 1}
    seen = release.seen()
    assert seen.population is not None
    shares = {Fraction(int(n), int(m)) for n, m in zip(seen.sizes, seen.population.counts, strict=True)}
    assert shares == {Fraction(3, 6), Fraction(2, 3)}
    assert DeltaPresence(0, 1).level(seen) == pytest.approx(2 / 3)


def test_as_it_is_the_table_gives_its_people_away() -> None:
    table = Table(frame("bcfhi"), (), ("zip", "from"), (), HIERARCHIES, frame("abcdefghi"))
    assert DeltaPresence(0, 1).level(Classes.of(table)) == 1
