"""A cure is one only when the attack fails after it."""

import polars as pl

from shoal import catalog
from shoal.core.outcome import Cured, Rate
from shoal.jobs import AttackTable
from shoal.jobs.tables.attack import attack_table, only_classes_that_keep
from shoal.tables.table import Table

RELEASE = pl.DataFrame({"zip": ["1", "2", "2"], "ill": ["flu", "flu", "gout"]})


def test_an_attack_is_run_again_after_its_cure() -> None:
    people = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["1", "2"]})
    found = attack_table(AttackTable(data=RELEASE, attack="linkage", quasi=("zip",), external=people))
    assert found.rate == Rate(1, 2)
    assert found.cured == Cured("without the 1 rows whose classes break k-anonymity(k=2)", Rate(0, 2), 1 / 3)
    assert found.to_json()["cured"]["hits"] == 0  # type: ignore[index,call-overload]


def test_only_classes_that_keep_every_model_stay() -> None:
    table = Table(RELEASE, quasi=("zip",), sensitive=("ill",))
    kept = only_classes_that_keep([catalog.make("model", "l-diversity(l=2)")], table)
    assert kept is not None and kept.frame["ill"].to_list() == ["flu", "gout"]
    assert only_classes_that_keep([catalog.make("model", "k-anonymity(k=3)")], table) is None
