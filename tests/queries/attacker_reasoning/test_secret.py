"""What an attacker is after."""

import numpy as np
import polars as pl
import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.queries.attacker_reasoning.secret import Secret


def test_a_value_is_a_yes_or_no_and_a_column_a_number() -> None:
    some = people()
    flu, pay = Secret.of("ill=flu", some), Secret.of("income", some)
    assert flu.binary and not pay.binary
    assert some.answer(flu.question()) == flu.truth(some).sum() == (some.frame["ill"] == "flu").sum()
    assert some.answer(pay.question("sex = 'F'")) == pytest.approx(
        some.frame.filter(pl.col("sex") == "F")["income"].sum()
    )
    assert Secret.of(f"age={some.frame['age'][0]}", some).value == some.frame["age"][0]
    assert flu.told(0.9) == {"ill": "flu"} and flu.told(0.1) == {"ill": "not flu"}
    assert pay.told(12.0) == {"income": 12.0}


def test_guesses_are_right_on_the_right_side_or_near_enough() -> None:
    flu, pay = Secret("ill", "flu"), Secret("income")
    assert flu.right(np.array([0.4, 0.6, 0.6]), np.array([0.0, 0.0, 1.0])).tolist() == [True, False, True]
    truths = np.array([0.0, 100.0, 100.0, 1000.0])
    assert pay.right(np.array([9.0, 89.0, 105.0, 0.0]), truths).tolist() == [True, False, True, False]
    assert pay.blind(truths) == 100 and flu.blind(np.array([0.0, 1.0, 1.0])) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ill=flue", "nobody has ill = flue"),
        ("illness=flu", "no column 'illness'"),
        ("age=old", "age is integer"),
    ],
)
def test_secrets_that_nobody_has_are_refused(text: str, says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        Secret.of(text, people())


def test_a_text_needs_a_value() -> None:
    with pytest.raises(BadParameter, match=r"--secret ill=\w+"):
        Secret.of("ill", people()).truth(people())
