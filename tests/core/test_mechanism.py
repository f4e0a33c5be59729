"""A mechanism can be had at another price, which is what audits pay."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shoal import catalog

QUERY = [part for part in catalog.Catalog.whole().parts if part.kind == "mechanism" and part.noun == "query"]


@pytest.mark.parametrize("part", QUERY, ids=lambda part: part.name)
def test_every_mechanism_of_questions_can_be_had_at_another_price(part: catalog.Part) -> None:
    made = catalog.make("mechanism", f"{part.name}({part.cls.example})")
    dear, cheap = (made.costing(Fraction(price), Fraction(1, 1000)) for price in (2, 1))
    assert type(dear) is type(made) and dear != cheap
    assert made.costing(Fraction(1), Fraction(1, 1000)) == cheap
