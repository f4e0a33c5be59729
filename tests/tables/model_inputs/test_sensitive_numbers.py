"""A sensitive column as numbers."""

import pytest

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.sensitive_numbers import distinct, numbers, ranges
from tables.builders import one_column
from tables.models.refining import domain_of


def test_different_numbers_are_counted_not_different_texts() -> None:
    counts = one_column([["1", "1.0", "1e0"], ["2", "1", "-3.5", "2"], ["7"]]).sensitive["s"]
    values = numbers(counts.domain, "a model")
    assert distinct(counts, values).tolist() == [1, 3, 1]
    assert ranges(counts, values).tolist() == [0, 5.5, 0]


def test_the_order_of_a_taxonomy_does_not_matter() -> None:
    taxonomy = Hierarchy.of_levels([["5", "1", "3"]])
    domain = Domain("s", taxonomy.leaves, domain_of([["1", "3", "5"]]).totals, True, taxonomy)
    counts = one_column([["1", "5"], ["3", "1", "1"]], domain).sensitive["s"]
    values = numbers(domain, "a model")
    assert distinct(counts, values).tolist() == [2, 2]
    assert ranges(counts, values).tolist() == [4, 2]


@pytest.mark.parametrize(
    ("value", "shown"), [("two", "'two'"), (None, "a missing value"), ("nan", "'nan'"), ("inf", "'inf'")]
)
def test_what_is_no_number_is_refused_in_one_sentence(value: str | None, shown: str) -> None:
    with pytest.raises(BadParameter, match=f"a model needs numbers, and 's' has {shown}; name a numeric"):
        numbers(domain_of([["1", value]]), "a model")
