"""Which model stops which attack: the table of seed 001, row by row."""

from __future__ import annotations

import pytest

from shoal.catalog import Catalog

RECORD, ATTRIBUTE, TABLE, BELIEF = "record linkage", "attribute linkage", "table linkage", "probabilistic"
SEED_001: dict[str, tuple[str, ...]] = {
    "k-anonymity": (RECORD,),
    "multir-k-anonymity": (RECORD,),
    "l-diversity": (RECORD, ATTRIBUTE),
    "confidence-bounding": (ATTRIBUTE,),
    "alpha-k-anonymity": (RECORD, ATTRIBUTE),
    "k-e-anonymity": (ATTRIBUTE,),
    "epsilon-m-anonymity": (ATTRIBUTE,),
    "personalised-privacy": (ATTRIBUTE,),
    "t-closeness": (ATTRIBUTE, BELIEF),
    "delta-presence": (TABLE,),
    "isolation": (RECORD, BELIEF),
    "differential-privacy": (TABLE, BELIEF),
    "d-gamma-privacy": (TABLE, BELIEF),
    "distributional-privacy": (TABLE, BELIEF),
}
MATRIX = {row[0]: row[1:] for row in Catalog.whole().matrix()}


def test_the_columns_are_the_four_kinds_of_attack() -> None:
    assert MATRIX["model"] == [RECORD, ATTRIBUTE, TABLE, BELIEF]


@pytest.mark.parametrize("model", SEED_001)
def test_a_model_has_the_ticks_of_the_seed(model: str) -> None:
    ticks = tuple(kind for kind, tick in zip(MATRIX["model"], MATRIX[model], strict=True) if tick == "✓")
    assert ticks == SEED_001[model]


def test_xy_privacy_of_the_seed_is_its_two_halves() -> None:
    """(X,Y)-privacy is anonymity and linkability together; here each half is a model of its own."""
    halves = [MATRIX["xy-anonymity"], MATRIX["xy-linkability"]]
    together = [max(ticks) for ticks in zip(*halves, strict=True)]
    assert together == ["✓", "✓", "", ""]
