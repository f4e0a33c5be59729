"""Every part by its name."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any, ClassVar

import pytest

from shoal import catalog
from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.tables.models.k_anonymity import KAnonymity


@dataclass(frozen=True)
class Guest(Measure[int, int]):
    """A part of another package. Guest 2024."""

    name: ClassVar[str] = "guest"
    n: int = 1

    def measure(self, number: int) -> int:
        return number * self.n


def test_names_and_classes() -> None:
    assert {"k-anonymity", "l-diversity", "t-closeness"} <= set(catalog.names("model"))
    assert catalog.find("model", "k-anonymity") is KAnonymity
    assert catalog.make("model", "k-anonymity(k=4)") == KAnonymity(4)
    with pytest.raises(BadParameter, match=r"no model 'k-anon'; there is .*\bk-anonymity"):
        catalog.find("model", "k-anon")
    with pytest.raises(BadParameter, match="no attack"):
        catalog.make("attack", "k-anonymity(k=4)")


def test_another_package_can_add_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("guest", "test_catalog:Guest", "shoal.measures")

    def registered(group: str, name: str | None = None) -> list[Any]:
        return [entry] if group == "shoal.measures" and name in (None, "guest") else []

    monkeypatch.setattr(catalog, "entry_points", registered)
    assert "guest" in catalog.names("measure")
    assert type(catalog.make("measure", "guest(n=3)")).__name__ == "Guest"


def test_the_catalog_shows_every_part_with_promise_and_paper() -> None:
    whole = catalog.Catalog.whole()
    found = whole.to_json()
    for kind in catalog.KINDS:
        assert [part["name"] for part in found[f"{kind}s"]] == catalog.names(kind)  # type: ignore[index,union-attr,call-overload]
    nouns = {part.noun for part in whole.parts if part.kind != "mechanism"}
    assert all(part.promise for part in whole.parts) and nouns == {"graph", "query", "table"}
    assert {part.noun for part in whole.parts if part.kind == "mechanism"} <= {"graph", "query"}
    (k,) = (part for part in whole.parts if part.name == "k-anonymity")
    assert k.promise == "Every row looks like at least k - 1 others."
    assert k.parameters == "k" and "Sweeney" in k.paper
    tables = whole.to_tables()
    matrix = tables.pop("which model stops which attack")
    assert ["k-anonymity", "✓", "", "", ""] in matrix
    assert list(tables) == [f"{kind}s" for kind in catalog.KINDS]
    assert all(len(row) == len(rows[0]) for rows in tables.values() for row in rows)
