"""Parts of the catalog, by pillar."""

import pytest

from shoal.catalog import noun_of, part_of, parts_of
from shoal.core.errors import BadParameter
from shoal.graphs.methods.naive import Naive
from shoal.graphs.models.k_degree import KDegree
from shoal.tables.models.k_anonymity import KAnonymity


def test_a_part_is_made_by_its_spelling() -> None:
    assert part_of("model", "k-degree(k=3)", "graph") == KDegree(3)
    assert parts_of("model", "k-degree(k=3)", "graph") == [KDegree(3)]
    assert parts_of("model", ("k-degree(k=3)", KDegree(4)), "graph") == [KDegree(3), KDegree(4)]
    assert parts_of("model", None, "graph") == []


@pytest.mark.parametrize(
    ("kind", "spelling", "noun", "cause"),
    [
        ("model", "k-degree(k=3)", "table", "'k-degree' is a model for graphs; for tables there is alpha"),
        ("model", "k-anonymity(k=3)", "graph", "'k-anonymity' is a model for tables; for graphs there is "),
        ("method", "naive", "table", "'naive' is a method for graphs"),
        ("mechanism", "laplace(epsilon=1)", "graph", "'laplace' is a mechanism for questions"),
    ],
)
def test_a_part_of_another_pillar_is_refused(kind: str, spelling: str, noun: str, cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        part_of(kind, spelling, noun)  # type: ignore[arg-type]


def test_what_is_nowhere_is_refused_by_the_catalog() -> None:
    with pytest.raises(BadParameter, match="no model 'k-nothing'"):
        part_of("model", "k-nothing(k=2)", "graph")


def test_objects_and_spellings_have_a_noun() -> None:
    assert noun_of("model", KDegree(2)) == noun_of("model", "k-degree(k=2)") == "graph"
    assert noun_of("model", KAnonymity(2)) == "table" and noun_of("method", Naive()) == "graph"
    with pytest.raises(BadParameter, match="object is no model: derive it from"):
        noun_of("model", object())
