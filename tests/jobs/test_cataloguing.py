"""One part of the catalog in full, and filters."""

from typing import Any

import pytest

from shoal.catalog import Catalog
from shoal.core.errors import BadParameter
from shoal.jobs.cataloguing import Entries, catalogued


def test_a_part_is_told_in_full() -> None:
    found = catalogued("t-closeness")
    assert isinstance(found, Entries)
    told: Any = found.to_json()
    entry = told["entries"][0]
    assert entry["kind"] == "model" and entry["of"] == "table" and "2007" in entry["paper"]
    assert entry["parameters"][0] == {"name": "t", "needed": True, "default": None}
    assert entry["stops"] and entry["page"] == "docs/reference.md#t-closeness"
    rows = found.to_tables()["model t-closeness"]
    assert ["parameter t", "needed"] in rows and rows[1][1] == entry["promise"]


@pytest.mark.parametrize("part", Catalog.whole().parts, ids=lambda part: f"{part.kind} {part.name}")
def test_every_part_has_an_entry(part: object) -> None:
    name, kind = part.name, part.kind  # type: ignore[attr-defined]
    (entry,) = catalogued(name, kind).entries
    assert entry.to_json()["promise"]
    assert list(catalogued(name, kind).to_tables()) == [f"{kind} {name}"]


def test_filters_leave_parts_of_a_kind_and_a_pillar() -> None:
    found = catalogued(kind="method", pillar="graph")
    assert {(part.kind, part.noun) for part in found.parts} == {("method", "graph")}
    assert list(found.to_tables()) == ["methods"]
    assert "which model stops which attack" in catalogued(kind="model").to_tables()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"name": "k-anonimity"}, "did you mean 'k-anonymity'"),
        ({"kind": "models"}, "did you mean 'model'"),
        ({"pillar": "tables"}, "did you mean 'table'"),
        ({"name": "mondrian", "kind": "model"}, "the catalog knows no 'mondrian'"),
    ],
)
def test_what_is_not_there_gets_a_sentence(asked: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        catalogued(**asked)
