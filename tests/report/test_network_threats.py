"""Threats to people in a network."""

from dataclasses import replace

import pytest

from graphs.drawn import power_law
from shoal.core.attack_results import Trial, Tried
from shoal.core.outcome import Promise, Rate, Verdict
from shoal.graphs.appraisal.appraisal import appraise
from shoal.graphs.appraisal.dossier import GraphDossier, GroupFigures
from shoal.report.network_threats import cards, limits

GRAPH = power_law(40, 90, 2)
FOUND = Trial("degree", "degree", "", after=Tried(Rate(9, 40), 0.01, "", sure=True))


def kept(*names: str) -> Verdict:
    return Verdict(tuple(Promise(name, 5.0, True, name) for name in names))


@pytest.fixture(scope="module")
def dossier() -> GraphDossier:
    return GraphDossier(
        title="t", made="2026-01-31", version="0", release="r.csv", verdict=kept("k-degree"), trials=(),
        prints=(), command="", nodes=40, edges=90, appraisal=appraise(GRAPH), choices=(),
    )  # fmt: skip


def tags(dossier: GraphDossier) -> dict[str, str]:
    return {card.head: card.tag for card in cards(dossier)}


def test_a_promise_about_one_kind_of_knowledge_covers_a_part(dossier: GraphDossier) -> None:
    assert tags(dossier)["Identifiability"] == "partly covered"
    assert tags(replace(dossier, trials=(FOUND,)))["Identifiability"] == "attacks succeed"


def test_where_nobody_is_in_it_nobody_is_found(dossier: GraphDossier) -> None:
    groups = replace(dossier, verdict=kept("k-grouping"), groups=GroupFigures(4, 10, 2), paired=False)
    assert tags(groups)["Identifiability"] == "covered" and tags(groups)["Linkability"] == "covered"
    assert tags(groups)["Disclosure of information"] == "not covered"
    assert "Edges are not hidden." in {item.head for item in limits(groups)}


def test_noise_covers_edges_whatever_is_known(dossier: GraphDossier) -> None:
    noise = replace(dossier, verdict=kept("edge-differential-privacy"), paired=False)
    assert tags(noise)["Disclosure of information"] == "covered"
    assert "Only what the promise speaks of." not in {item.head for item in limits(noise)}


def test_made_with_the_original_it_stays_in_the_house(dossier: GraphDossier) -> None:
    heads = {item.head for item in limits(replace(dossier, has_original=True))}
    assert "Keep this report in the house." in heads
    assert "Keep this report in the house." not in {item.head for item in limits(dossier)}
