from dataclasses import replace

import polars as pl
import pytest

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.jobs.trials import hushed, tried_all
from shoal.tables.adversary.scene import Scene
from shoal.tables.table import Table

RAW = pl.DataFrame(
    {"zip": ["1", "2", "3", "4"], "ill": ["flu", "flu", "gout", "cold"], "pay": ["1", "2", "3", "4"]}
)
COARSE = RAW.with_columns(zip=pl.Series(["1", "1", "2", "2"]))
PEOPLE = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["1", "2"]})


def scene(frame: pl.DataFrame, **more: object) -> Scene:
    table = Table(frame, quasi=("zip",), sensitive=("ill",))
    return Scene(table, **more)  # type: ignore[arg-type]


def test_every_attack_on_tables_is_tried_or_has_a_reason() -> None:
    found = tried_all(None, scene(COARSE))
    tabular = {
        n
        for n in catalog.names("attack")
        if catalog.Part("attack", n, catalog.find("attack", n)).noun == "table"
    }
    assert {trial.name for trial in found} >= tabular
    assert all((trial.after is None) == bool(trial.reason) for trial in found)
    linkage = next(trial for trial in found if trial.name == "linkage")
    assert "--external" in linkage.reason


def test_before_and_after() -> None:
    (trial,) = tried_all(scene(RAW, external=PEOPLE), scene(COARSE, external=PEOPLE), ["linkage"])
    assert trial.before is not None and trial.after is not None
    assert (trial.before.rate.hits, trial.after.rate.hits) == (2, 0)


def test_an_attack_after_one_column_is_tried_on_each() -> None:
    two = scene(COARSE, external=PEOPLE)
    two = replace(two, table=two.table.with_roles((), ("zip",), ("ill", "pay")))
    found = tried_all(None, two, ["homogeneity"])
    assert [trial.attack for trial in found] == ["homogeneity(column=ill)", "homogeneity(column=pay)"]


def test_what_the_user_wrote_wrongly_is_refused_and_what_he_did_not_write_is_told() -> None:
    with pytest.raises(BadParameter, match="no attack 'nonsense'"):
        tried_all(None, scene(COARSE), ["nonsense"])
    with pytest.raises(BadParameter, match="no parameter 'x'"):
        tried_all(None, scene(COARSE, external=PEOPLE), ["linkage(x=1)"])


def test_a_refusal_keeps_names_of_columns_and_no_value() -> None:
    assert hushed("no '47677' in 'zip'", ["zip"]) == "no ‘…’ in 'zip'"
    assert hushed('no "O\'Neil" in \'zip\'; say "a(b=c)"', ["zip"]) == "no ‘…’ in 'zip'; say \"a(b=c)\""
