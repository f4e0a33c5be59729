"""One part of the catalog in full, and filters."""

from typing import Any

import pytest

from shoal.catalog import Catalog
from shoal.core.errors import BadParameter
from shoal.jobs.catalog_entries import Entries, entries_of


def test_a_part_is_told_in_full() -> None:
    found = entries_of("t-closeness")
    assert isinstance(found, Entries)
    told: Any = found.to_json()
    entry = told["entries"][0]
    assert entry["kind"] == "model" and entry["of"] == "table" and "2007" in entry["paper"]
    assert entry["parameters"][0] == {"name": "t", "needed": True, "default": None}
    assert entry["stops"] and entry["page"] == "docs/reference.md#t-closeness"
    rows = found.to_tables()["model t-closeness"]
    assert ["parameter t", "needed"] in rows and rows[1][1] == entry["promise"]


def test_every_part_has_an_entry() -> None:
    def told(name: str, kind: str) -> bool:
        found = entries_of(name, kind)
        (entry,) = found.entries
        return bool(entry.to_json()["promise"]) and list(found.to_tables()) == [f"{kind} {name}"]

    parts = [(part.name, part.kind) for part in Catalog.whole().parts]
    assert parts and not [part for part in parts if not told(*part)]


def test_filters_leave_parts_of_a_kind_and_a_pillar() -> None:
    found = entries_of(kind="method", pillar="graph")
    assert {(part.kind, part.noun) for part in found.parts} == {("method", "graph")}
    assert list(found.to_tables()) == ["methods"]
    assert "which model stops which attack" in entries_of(kind="model").to_tables()


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
        entries_of(**asked)
