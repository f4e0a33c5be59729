"""What the record beside a release tells about how it was made."""

from collections import Counter
from dataclasses import replace
from itertools import product

import polars as pl
import pytest

from shoal.core.frequency_bound import Bound
from shoal.tables.attacker_reasoning.manifest_clues import (
    excluded_confidence,
    may_break,
    must_break,
    only_k,
    read_promises,
)
from shoal.tables.manifest import Manifest
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

TABLE = Table(pl.DataFrame({"age": ["1"], "ill": ["flu"], "debt": ["no"]}), (), ("age",), ("ill", "debt"))
MANIFEST = Manifest.of(TableRelease(TABLE, 1, "mondrian", {}, {}, 1))


def told(*models: str) -> Manifest:
    return replace(MANIFEST, models=models)


def test_promises_are_read_from_their_spelling() -> None:
    found = read_promises(
        told(
            "k-anonymity(k=3)",
            "l-diversity(l=4,kind=probabilistic)",
            'confidence-bounding(h=0.3,values="a,b"|c)',
        ),
        "ill",
        ["ill"],
    )
    assert (found.k, found.unread) == (3, ())
    assert [(bound.by, bound.figure, bound.values) for bound in found.bounds] == [
        ("share", 0.25, ()),
        ("share", 0.3, ("a,b", "c")),
    ]
    alpha = read_promises(told("alpha-k-anonymity(alpha=0.5,k=6,column=ill)"), "ill", ["ill", "debt"])
    assert alpha.k == 6 and excluded_confidence(alpha.bounds[0]) == 0.5
    assert excluded_confidence(read_promises(told("l-diversity(l=3)"), "ill", ["ill"]).bounds[0]) == 1 / 3


@pytest.mark.parametrize(
    "model",
    [
        "t-closeness(t=0.2)",
        "lkc(L=2,K=2,C=0.5)",
        "l-diversity(l=3,kind=entropy)",
        "l-diversity(l=3,kind=recursive,c=2)",
        "l-diversity(l=3,column=debt)",
        "l-diversity(l=3)",  # about both columns
    ],
)
def test_what_may_have_stopped_the_method_for_another_reason_is_left_unread(model: str) -> None:
    found = read_promises(told("k-anonymity(k=2)", model), "ill", ["ill", "debt"])
    assert found.unread == (model,) and not found.bounds


def test_only_k_anonymity_is_only_k_anonymity() -> None:
    assert only_k(told("k-anonymity(k=2)", "k-anonymity(k=5)")) == 5
    assert only_k(told("k-anonymity(k=2)", "l-diversity(l=2)")) == only_k(told()) == 0


@pytest.mark.parametrize("l", [2, 3, 4])
def test_distinct_values_are_hemmed_in_from_both_sides(l: int) -> None:  # noqa: E741
    bound = Bound("distinct", l)
    for size in range(1, 7):
        for dealt in product("abcd", repeat=size):
            most = max(Counter(dealt).values())
            if len(set(dealt)) < l:
                assert most > may_break(bound, size)
            if most > must_break(bound, size):
                assert len(set(dealt)) < l


def test_a_share_is_exact() -> None:
    bound = Bound("share", 0.29)
    assert may_break(bound, 100) == must_break(bound, 100) == 29
