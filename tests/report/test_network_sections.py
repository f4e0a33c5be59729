"""What a report says of a network, section by section."""

from dataclasses import replace

import pytest

from graphs.drawn import power_law
from shoal.core.outcome import Promise, Verdict
from shoal.graphs.appraisal.appraisal import appraise
from shoal.graphs.appraisal.dossier import Choice, GraphDossier, GroupFigures
from shoal.report.blocks import Block, Chart, Grid, Words
from shoal.report.network_sections import glance, loss_section, released_section, risk, structure

GRAPH = power_law(60, 160, 2)


@pytest.fixture(scope="module")
def dossier() -> GraphDossier:
    return GraphDossier(
        title="t", made="2026-01-31", version="0", release="r.csv", method="supergraph",
        verdict=Verdict((Promise("k-degree", 1.0, True, "k-degree(k=1)"),)), trials=(), prints=(), command="",
        has_original=True, nodes=GRAPH.nodes, edges=GRAPH.edges, appraisal=appraise(GRAPH, GRAPH),
        choices=(Choice("method", "supergraph", "default"),), labels="keep",
        dropped={"loops": 1, "weights": 2},
    )  # fmt: skip


def words(blocks: list[Block]) -> str:
    told = [block.text for block in blocks if isinstance(block, Words)]
    cells = [cell.text for block in blocks if isinstance(block, Grid) for row in block.rows for cell in row]
    return " ".join([*told, *cells])


def test_what_was_left_out_and_who_decided_is_told(dossier: GraphDossier) -> None:
    told = words(list(released_section(dossier)))
    assert "1 edge of somebody with themselves and 2 columns or attributes" in told
    assert "Shoal's default" in told and "The labels of people were kept" in told
    assert "no manifest" in words(list(released_section(replace(dossier, method="", choices=()))))


def test_structure_is_drawn_and_unchanged_where_nothing_changed(dossier: GraphDossier) -> None:
    blocks = list(structure(dossier))
    charts = [block for block in blocks if isinstance(block, Chart)]
    assert len(charts) == 2 and "clustering: unchanged." in charts[1].alt
    alone = replace(dossier, appraisal=replace(dossier.appraisal, before=None, changes=None))
    assert "the original was not given" in words(list(structure(alone)))


def test_losses_are_edges(dossier: GraphDossier) -> None:
    assert "true edges that are still there" in words(list(loss_section(dossier)))
    unknown = replace(dossier, appraisal=replace(dossier.appraisal, changes=None))
    assert "Not known edge by edge" in words(list(loss_section(unknown)))
    groups = replace(dossier, groups=GroupFigures(5, 12, 3), paired=False)
    assert "3 edges are still certain" in words(list(loss_section(groups)))
    assert "gone on purpose" in words(list(loss_section(replace(dossier, paired=False))))


def test_risk_is_who_hides_among_how_many(dossier: GraphDossier) -> None:
    assert "how many friends a person has" in words(list(risk(dossier)))
    assert "nobody can stand out" in words(list(risk(replace(dossier, paired=False))))


def test_large_numbers_fit_what_was_released(dossier: GraphDossier) -> None:
    assert [one.value for one in glance(dossier)][:2] == [f"{GRAPH.nodes:,}", f"{GRAPH.edges:,}"]
    groups = replace(dossier, groups=GroupFigures(5, 12, 3), paired=False)
    assert list(glance(groups))[-1].value == "12"
