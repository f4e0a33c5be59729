"""The known optima of the Adult table, which an optimal search must hit to the digit."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest

from shoal.core.contract import ClassModel
from shoal.tables.hierarchies import read_hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.table import Table
from tables.builders import shared_data

ADULT = shared_data("adult")
QUASI = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    "salary-class",
)  # fmt: skip
needs_adult = pytest.mark.skipif(ADULT is None, reason="the shared Adult table is not beside the repository")


@pytest.fixture(scope="module")
def adult() -> Table:
    assert ADULT is not None
    frame = pl.read_csv(ADULT / "adult.csv", separator=";", infer_schema=False)
    hierarchies = {column: read_hierarchy(ADULT / "hierarchies" / f"{column}.csv") for column in QUASI}
    return Table(frame, quasi=QUASI, hierarchies=hierarchies)


@needs_adult
@pytest.mark.parametrize(
    ("name", "levels", "figure"),
    [
        ("loss", (0, 4, 1, 1, 3, 2, 2, 1, 0), "0.635544"),
        ("discernibility", (1, 1, 1, 2, 3, 2, 2, 1, 1), "33627534.000000"),
        ("precision", None, "0.333333"),  # two nodes tie
    ],
)
def test_the_known_optima_of_adult_are_hit(
    adult: Table, name: str, levels: tuple[int, ...] | None, figure: str
) -> None:
    release = Optimal(name, seed=1).protect(adult, [KAnonymity(5)])
    assert release.optimal is True
    assert (release.rows, release.suppressed) == (30_162, 0)
    assert release.levels is not None
    if levels is not None:
        assert tuple(release.levels[column] for column in QUASI) == levels
    assert f"{release.losses[name]:.6f}" == figure
    smallest = release.table.frame.group_by(QUASI).len()["len"].min()
    assert isinstance(smallest, int)
    assert smallest >= 5


@needs_adult
def test_adult_with_a_sensitive_column_keeps_k_and_l_and_t_within_the_limit(adult: Table) -> None:
    quasi = tuple(column for column in QUASI if column != "occupation")
    table = adult.with_roles(quasi=quasi, sensitive=["occupation"])
    models: Sequence[ClassModel[Classes]] = [KAnonymity(5), LDiversity(3, "entropy"), TCloseness(0.3)]
    release = Optimal(suppress=0.05, seed=1).protect(table, models)
    assert release.optimal is True
    assert release.suppressed <= 1508
    frame = release.table.frame
    everyone = adult.frame["occupation"].value_counts(normalize=True)
    usual = dict(everyone.iter_rows())
    for members in frame.partition_by(quasi):
        shares = dict(members["occupation"].value_counts(normalize=True).iter_rows())
        assert members.height >= 5
        assert len(shares) >= 3
        assert sum(max(share - usual[value], 0.0) for value, share in shares.items()) <= 0.3 + 1e-9
