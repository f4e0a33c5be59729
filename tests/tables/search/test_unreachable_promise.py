"""What is said of a promise that can never hold is true when it is tried."""

import polars as pl
import pytest

from shoal.core.contract import ClassModel
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.search.unreachable_promise import why_never
from shoal.tables.table import Table

WHOLE = Classes.of(
    Table(pl.DataFrame({"q": ["*"] * 5, "s": ["a", "a", "a", "b", "c"]}), quasi=("q",), sensitive=("s",))
)


def test_the_first_model_that_fails_is_named_with_what_there_is() -> None:
    models: list[ClassModel[Classes]] = [TCloseness(0.5), KAnonymity(6), LDiversity(9)]
    assert why_never(WHOLE, models) == (
        "k-anonymity cannot hold: the whole table as one class offers 5; ask for no more than that"
    )


@pytest.mark.parametrize("kind", ["distinct", "probabilistic", "entropy"])
def test_what_is_offered_really_holds(kind: str) -> None:
    asked = LDiversity(4, kind)  # type: ignore[arg-type]
    offer = float(why_never(WHOLE, [asked]).split("offers ")[1].split(";")[0])
    assert LDiversity(offer, kind).holds(WHOLE).all()  # type: ignore[arg-type]


def test_recursive_diversity_needs_a_larger_c() -> None:
    sentence = why_never(WHOLE, [LDiversity(2, "recursive", 1.0)])
    c = float(sentence.split("c above ")[1].split(";")[0])
    assert LDiversity(2, "recursive", c + 1e-3).holds(WHOLE).all()
