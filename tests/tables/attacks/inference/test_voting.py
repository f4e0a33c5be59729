"""What the rows that fit a person say."""

import polars as pl
import pytest

from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.inference.voting import Votes
from shoal.tables.table import Table

FRAME = pl.DataFrame({"zip": ["1", "1", "1", "2"], "ill": ["flu", "flu", "cold", "gout"]})


def votes() -> Votes:
    return Votes(Scene(Table(FRAME, quasi=("zip",)), original=FRAME), "ill", ("zip",), 0.0)


def test_the_most_frequent_value_of_the_rows_that_fit_is_the_guess() -> None:
    found = votes()
    guess, sure = found.about(found.fitting(FRAME))
    assert [found.word(float(one)) for one in guess] == ["flu", "flu", "flu", "gout"]
    assert sure.tolist() == pytest.approx([2 / 3, 2 / 3, 2 / 3, 1.0])
    assert found.right(guess, FRAME["ill"]).tolist() == [True, True, False, True]
    assert found.blind == 0.5


def test_a_trained_model_leaves_the_votes_of_the_rows_as_they_were() -> None:
    large = pl.concat([FRAME] * 100)
    found = Votes(Scene(Table(large, quasi=("zip",)), original=large), "ill", ("zip",), 0.0)
    before = found.weights.copy()
    model = found.trained()
    assert (found.weights == before).all() and len(model.weights) != len(before)
    guess, _ = model.about(model.fitting(FRAME))
    assert [model.word(float(one)) for one in guess] == ["flu", "flu", "flu", "gout"]
