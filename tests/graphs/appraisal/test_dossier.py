"""What a report tells of a network, as data."""

from graphs.drawn import power_law
from shoal.core.outcome import Promise, Verdict
from shoal.graphs.appraisal.appraisal import appraise
from shoal.graphs.appraisal.dossier import Choice, GraphDossier, GroupFigures
from shoal.graphs.grouping import Grouping


def test_how_many_people_have_each_degree_stays_out_of_it() -> None:
    graph = power_law(40, 90, 1)
    found = GraphDossier(
        title="t", made="2026-01-31", version="0", release="r.csv",
        verdict=Verdict((Promise("k-degree", 1.0, True),)), trials=(), prints=(), command="",
        nodes=graph.nodes, edges=graph.edges, appraisal=appraise(graph, graph),
        choices=(Choice("method", "m"),),
    )  # fmt: skip
    told = found.to_json()
    assert "degrees" not in told["structure"] and "degrees" not in told["structure"]["before"]  # type: ignore[operator,index,call-overload]
    assert told["choices"] == [{"what": "method", "chosen": "m", "decided": None}]


def test_groups_are_told_by_their_sizes() -> None:
    graph = power_law(40, 90, 1)
    found = GroupFigures.of(Grouping.of_graph(graph, [node // 8 for node in range(40)]))
    assert (found.groups, found.smallest) == (5, 8) and found.sure_edges >= 0
