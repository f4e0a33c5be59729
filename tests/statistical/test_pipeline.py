"""The whole way from SQL to an answer, audited: ε from below never exceeds what was paid.

The engine's numbers are fixed, so that nothing but noise varies. A public group is a repetition: thousands of
groups hold the same rows, and each gets noise of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from shoal.core.sampling import gaussian_dp_conversion
from shoal.core.sampling.zcdp_conversion import epsilon_of
from shoal.queries.answering.assemble_answer import make_answer
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import Noisy, add_noise
from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Table
from shoal.queries.query import Query
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore
from statistical.audit import Draws, epsilon_from_below

pytestmark = pytest.mark.slow

ROWS = 8  # of one person
NUMBER = 32_000  # repetitions
LOOSE = Fraction(1, 100)  # the δ at which Gaussian noise and found groups are held to their promise
UNTOLD = -(10**6)
Reals = NDArray[np.float64]


@cache
def dataset(number: int) -> Dataset:
    columns = (
        Column("id", "integer"),
        Column("g", "integer", keys=tuple(range(number)), missing=False),
        Column("x", "number", 0, 1000),
        Column("y", "integer", 0, 3),
        Column("town"),
    )
    return Dataset(
        "d", (Table("t", columns, "id", ROWS),), Budget(Fraction(10), LOOSE), "warn", "approximate"
    )


def store(declared: Dataset, somebody: bool) -> DuckStore:
    """300 people with a row each, and somebody with as many as one may have, all as far out as allowed."""
    rows = [(n, 0, 500.0, n % 4, f"home {n % 3}") for n in range(300)]
    rows += [(999, 0, 1000.0, 3, f"abroad {n}") for n in range(ROWS if somebody else 0)]
    made = DuckStore(declared)
    made.load("t", pl.DataFrame(rows, schema=["id", "g", "x", "y", "town"], orient="row"))
    return made


@dataclass(frozen=True)
class Asked:
    """A question, and what the engine counts on both of two neighbours."""

    query: Query
    here: list[pl.DataFrame]
    there: list[pl.DataFrame]

    def noisy(self, shares: Shares, somebody: bool) -> Noisy:
        return add_noise(self.query, self.there if somebody else self.here, shares)


@cache
def asked(what: str, where: str = "", number: int = NUMBER) -> Asked:
    declared = dataset(number)
    found, query = [], None
    for somebody in (False, True):
        made = store(declared, somebody)
        query = plan(f"SELECT g, {what} FROM t {where} GROUP BY g", declared, made)
        groups = pl.DataFrame({"k0": np.arange(number)})
        found.append([groups.join(part.drop("k0"), how="cross") for part in made.run(selects(query))])
    assert query is not None
    return Asked(query, *found)


def broken(query: Query, by: int) -> Query:
    """The same question with a sensitivity that is too small."""
    return replace(
        query,
        primitives=tuple(replace(part, reach=part.reach // by, squared=None) for part in query.primitives),
        quantiles=tuple(replace(part, reach=part.reach // by) for part in query.quantiles),
    )


def numbers(case: Asked, shares: Shares) -> tuple[Draws, Draws]:
    """All noisy numbers of a group as one: how much more they speak for somebody than for nobody.

    By Neyman and Pearson this ratio is what tells the most.
    """
    wide = replace(shares, epsilon=Fraction(10**9))  # next to no noise
    exact = [np.array([part[0] for part in case.noisy(wide, side).primitives]) for side in (False, True)]
    moved = exact[1] - exact[0]
    reaches = np.array([float(part.reach * part.grid) for part in case.query.primitives])

    def code(side: bool) -> Draws:
        found = np.array(case.noisy(shares, side).primitives) - exact[0][:, None]
        if shares.accounting in ("zcdp", "pld"):
            ratios: Reals = found * (moved / reaches**2)[:, None]
        else:
            ratios = (np.abs(found) - np.abs(found - moved[:, None])) / reaches[:, None]
        return np.asarray(np.floor(20 * ratios.sum(axis=0) + 1e-6), np.int64)

    return code(False), code(True)


def told(case: Asked, shares: Shares) -> tuple[Draws, Draws]:
    """The last column of the answer itself."""

    def code(side: bool) -> Reals:
        rows = make_answer(case.query, case.noisy(shares, side)).rows
        return np.array([row[-1] for row in rows], np.float64)

    one, other = code(False), code(True)
    step = max(abs(float(np.median(other) - np.median(one))), 1e-9) / 20
    return np.floor(one / step).astype(np.int64), np.floor(other / step).astype(np.int64)


def picked(case: Asked, shares: Shares) -> tuple[Draws, Draws]:
    """A quantile and both ends."""

    def code(side: bool) -> Draws:
        part = case.noisy(shares, side).quantiles[0]
        return (part.value * 100 + part.low * 10 + part.high).astype(np.int64)

    return code(False), code(True)


def promise(shares: Shares) -> tuple[float, float]:
    """(ε, δ) as the books tell it."""
    if shares.accounting == "zcdp":
        return float(epsilon_of(shares.epsilon**2 / 2, LOOSE)), float(LOOSE)
    if shares.accounting == "pld":
        return float(gaussian_dp_conversion.epsilon_of(shares.epsilon**2, LOOSE)), float(LOOSE)
    return float(shares.epsilon), 0.0


View = Callable[[Asked, Shares], tuple[Draws, Draws]]
CASES: list[tuple[str, View]] = [
    ("COUNT(*)", told),
    ("SUM(x)", told),
    ("COUNT(DISTINCT town)", told),
    ("AVG(x)", told),
    ("AVG(x)", numbers),
    ("COUNT(*), SUM(x)", numbers),
    ("COUNT(*), AVG(x), VAR_POP(x), SUM(y)", numbers),
    ("VAR_POP(x)", numbers),
    ("SUM(CASE WHEN x > 600 THEN 1 ELSE 0 END)", told),
    ("AVG(CASE WHEN x > 600 THEN 1 ELSE 0 END)", numbers),
    ("SUM((SELECT COUNT(*) FROM t AS v WHERE v.id = t.id))", told),
    ("COUNT_IF(x < 0 OR EXISTS (SELECT 1 FROM t AS v WHERE v.id = t.id AND v.x > 600))", told),
]


@pytest.mark.parametrize("accounting", ["pure", "zcdp", "pld"])
@pytest.mark.parametrize(("what", "view"), CASES, ids=[f"{what} {view.__name__}" for what, view in CASES])
def test_an_answer_tells_no_more_than_was_paid(what: str, view: View, accounting: Accounting) -> None:
    case = asked(what)
    shares = Shares(accounting, Fraction(1), Fraction(0), case.query.parts)
    epsilon, delta = promise(shares)
    assert epsilon_from_below(*view(case, shares), delta) <= epsilon, "the promise is broken"
    if (what, view) != ("AVG(x)", told):  # one number made of two tells less than both
        thin = replace(case, query=broken(case.query, 2))
        assert epsilon_from_below(*view(thin, shares), delta) > epsilon, "this test would not have noticed"


@pytest.mark.parametrize("accounting", ["pure", "zcdp", "pld"])
def test_a_median_with_its_ends_tells_no_more_than_was_paid(accounting: Accounting) -> None:
    case = asked("MEDIAN(y)", "WHERE id > 295", number=4_000)
    shares = Shares(accounting, Fraction(2), Fraction(0), case.query.parts)
    # A choice is private in ε under zCDP and pld, too.
    most = 2 if accounting != "pld" else float(gaussian_dp_conversion.range_for(Fraction(4)))
    assert epsilon_from_below(*picked(case, shares)) <= most
    # Half the sensitivity would not be noticed by anybody: a rank takes half of what the exponential
    # mechanism may cost, and three picks hide some more. Noise that is 24 times too small is noticed.
    thin = replace(case, query=broken(case.query, 8))
    assert epsilon_from_below(*picked(thin, replace(shares, epsilon=3 * shares.epsilon))) > most


@pytest.mark.parametrize("accounting", ["pure", "zcdp", "pld"])
def test_somebody_in_many_public_groups_tells_no_more_than_was_paid(accounting: Accounting) -> None:
    """Eight rows in eight groups: repetitions are eight groups in a row."""
    case = asked("COUNT(*)", number=NUMBER)
    assert case.query.primitives[0].reach == ROWS
    here = case.here[0]
    there = here.with_columns(x0=pl.col("x0") + 1)
    case = replace(case, there=[there])
    shares = Shares(accounting, Fraction(1), Fraction(0), 1)
    epsilon, delta = promise(shares)

    def bound(query: Query) -> float:
        drawn = [add_noise(query, frames, shares).primitives[0] for frames in ([here], [there])]
        one, other = (np.clip(part.reshape(-1, ROWS).sum(axis=1) - 2400, -999, 999) for part in drawn)
        return epsilon_from_below(one.astype(np.int64), other.astype(np.int64), delta)

    assert bound(case.query) <= epsilon
    # Noise for one row only: what a histogram of people with one row each would get.
    assert bound(broken(case.query, ROWS)) > epsilon
    # Of people, once in each group, the Euclidean reach is the root; half of that is caught.
    people = asked("COUNT(DISTINCT id)", number=NUMBER).query.primitives[0]
    assert (people.reach, people.squared) == (ROWS, ROWS)
    assert bound(replace(case.query, primitives=(replace(people, terms=((0, 1),)),))) <= epsilon
    if accounting != "pure":
        thin = replace(people, terms=((0, 1),), reach=1, squared=None)
        assert bound(replace(case.query, primitives=(thin,))) > epsilon


@pytest.mark.parametrize("accounting", ["approximate", "zcdp", "pld"])
def test_groups_found_in_the_data_tell_no_more_than_was_paid(accounting: Accounting) -> None:
    declared = dataset(2)
    made = store(declared, True)
    query = plan("SELECT town, COUNT(*) AS n FROM t GROUP BY town", declared, made)
    assert query.discovered and query.groups == ROWS
    names = [f"{n:06}" for n in range(NUMBER)]
    shares = Shares(accounting, Fraction(1), LOOSE, query.parts)
    assert query.crowd is not None and query.parts == 1  # the count that is told decides

    def counts(crowd: int, question: Query = query, shares: Shares = shares) -> Draws:
        """The noisy number of each town that is told, and -10^6 for the others."""
        frame = pl.DataFrame({"k0": names, "x0": [crowd] * NUMBER})
        frame = frame if crowd else frame.clear()
        rows = make_answer(question, add_noise(question, [frame], shares)).rows
        found = {row[0]: row[1] for row in rows}
        return np.array([found.get(name, UNTOLD) for name in names], np.int64)

    near = shares.threshold(query)
    epsilon = promise(shares)[0]
    delta = float(LOOSE) * (2 if accounting != "approximate" else 1)  # for the conversion, too
    # Somebody comes with all their rows to a town of many people, and the noise of one row would tell it.
    assert epsilon_from_below(counts(near), counts(near + ROWS), delta) <= epsilon
    thin = broken(query, ROWS)
    assert epsilon_from_below(counts(near, thin), counts(near + ROWS, thin), delta) > epsilon

    def alone(question: Query) -> tuple[Draws, Draws]:
        """Whether one of eight towns is told that are there because of one person."""
        found = counts(1, question, often).reshape(-1, ROWS).max(axis=1) > UNTOLD
        assert (counts(0, question, often) == UNTOLD).all()
        return np.zeros(len(found), np.int64), found.astype(np.int64)

    # Under zCDP too this is a choice, and private in ε and δ.
    often = replace(shares, delta=Fraction(1, 20))
    assert epsilon_from_below(*alone(query), 0.05) <= 1
    # A threshold made for one row of a person who has one in each of eight towns.
    narrow = replace(query, groups=1, crowd=replace(query.crowd, most=1))
    assert epsilon_from_below(*alone(narrow), 0.05) > 1


def finest(values: Reals) -> Draws:
    """The power of two that a double is a multiple of: where Mironov 2012 looks."""
    mantissa, power = np.frexp(values)
    whole = (mantissa * 2.0**53).astype(np.int64)
    zeros = np.log2(np.maximum(whole & -whole, 1)).astype(np.int64)
    return np.where(whole == 0, 10**4, power - 53 + zeros).astype(np.int64)


def test_the_last_bits_of_a_sum_tell_nothing_and_naive_noise_is_caught_by_the_same_test() -> None:
    case = asked("SUM(x)", "WHERE id > 900")
    shares = Shares("pure", Fraction(1), Fraction(0), 1)
    answers = [
        np.array([row[-1] for row in make_answer(case.query, case.noisy(shares, side)).rows], np.float64)
        for side in (False, True)
    ]
    grid = float(case.query.primitives[0].grid)
    for values in answers:
        assert (values / grid == np.rint(values / grid)).all()
    assert epsilon_from_below(finest(answers[0]), finest(answers[1])) <= 1
    chance = np.random.default_rng(1)
    naive = [exact + chance.laplace(scale=8000, size=NUMBER) for exact in (0.0, 8000.0)]
    assert epsilon_from_below(finest(naive[0]), finest(naive[1])) > 1
    assert math.isclose(float(np.median(answers[1])), 8000, rel_tol=0.2)
