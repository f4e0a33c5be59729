"""Every part by its name."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import polars as pl
import pytest

import shoal
from shoal import catalog
from shoal.core.contract import Attack, Measure, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Rate
from shoal.graphs.appraisal.appraisal import PLACED as OF_GRAPHS
from shoal.graphs.attacker_reasoning.scene import Scene as GraphScene
from shoal.graphs.graph import Graph
from shoal.jobs.graphs.report import report_graph
from shoal.jobs.graphs.requests import ReportGraph
from shoal.jobs.tables.report import report_table
from shoal.jobs.tables.requests import ReportTable
from shoal.tables.appraisal.appraisal import PLACED as OF_TABLES
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.table import Table


@dataclass(frozen=True)
class Guest(Measure[int, int]):
    """A part of another package. Guest 2024."""

    name: ClassVar[str] = "guest"
    n: int = 1

    def measure(self, number: int) -> int:
        return number * self.n


@dataclass(frozen=True)
class ShortestCell(Measure[Table, int]):
    """How many letters the shortest cell has. Guest 2024."""

    name: ClassVar[str] = "shortest-cell"

    def measure(self, table: Table) -> int:
        return min(len(cell) for cell in table.frame["age"])


@dataclass(frozen=True)
class Pendants(Measure[Graph, int]):
    """How many people know one other only. Guest 2024."""

    name: ClassVar[str] = "toy-pendants"

    def measure(self, graph: Graph) -> int:
        return int((graph.degrees == 1).sum())


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


@dataclass(frozen=True)
class Stranger(Attack[GraphScene]):
    """An attack on networks from another package. Guest 2024."""

    name: ClassVar[str] = "stranger"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"

    def attack(self, scene: GraphScene) -> Finding:
        return Finding(self.name, Rate(0, scene.graph.nodes), 0.5, (), "nothing to cure")


def test_an_attack_of_another_package_is_tried_on_what_it_looks_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    entry = EntryPoint("stranger", "test_catalog:Stranger", "shoal.attacks")
    monkeypatch.setattr(
        catalog, "entry_points", lambda group, **_: [entry] if group == "shoal.attacks" else []
    )
    rows = pl.DataFrame({"age": ["20", "20", "31", "31"], "ill": ["a", "b", "a", "b"]})
    shoal.protect(rows, quasi="age", sensitive="ill", k=2, output="release.csv")
    table = report_table(ReportTable(data="release.csv", attack=()))
    assert "stranger" not in {one.attack for one in table.trials}
    shoal.protect(Graph.of_edges(4, [0, 1, 2], [1, 2, 3]), model="k-degree(k=1)", output="release.txt")
    graph = report_graph(ReportGraph(data="release.txt"))
    assert "stranger" in {one.attack for one in graph.trials}


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


def test_a_measure_in_the_catalog_is_told_without_another_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = pl.DataFrame({"age": ["20", "20", "31"], "ill": ["a", "b", "a"]})
    alone: dict[str, Callable[[], Any]] = {
        "table": lambda: shoal.measure(rows, quasi="age", sensitive="ill", original=rows).to_json(),
        "graph": lambda: shoal.measure(Graph.of_edges(3, [0, 1], [1, 2])).to_json(),
    }
    placed = {one.name.replace("-", "_") for one in (*OF_TABLES, *OF_GRAPHS)}
    for told in alone.values():
        assert not placed & told().get("further", {}).keys(), "what has a place of its own is told there"
    own = catalog._BUILT_IN["measure"]
    monkeypatch.setitem(own, "shortest-cell", "tables.measures.toys:ShortestCell")
    monkeypatch.setitem(own, "toy-pendants", "graphs.measures.toys:Pendants")
    for place, toys in (("tables", {"ShortestCell": ShortestCell}), ("graphs", {"Pendants": Pendants})):
        monkeypatch.setitem(sys.modules, f"shoal.{place}.measures.toys", SimpleNamespace(**toys))
    assert alone["table"]()["further"]["shortest_cell"] == 2
    assert alone["graph"]()["further"]["toy_pendants"] == 2
