"""One answer about a graph, paid for before it is read."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from shoal.core.errors import BadGraph, BadParameter, Spent, Unanswered
from shoal.core.mechanism import Mechanism
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.mechanisms.edge_count import EdgeCount
from shoal.jobs.graphs import ask as graph_asking
from shoal.jobs.graphs.ask import ask_graph
from shoal.jobs.graphs.requests import AskGraph
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.declaration.declaration import Budget
from shoal.queries.ledger import Ledger, open_ledger

RING = Graph.of_edges(30, list(range(30)), [*range(1, 30), 0])
COUNT = "edge-count(epsilon=0.5)"
GROUPS = Grouping(np.array([2, 1]), np.array([0], np.int32), np.array([1], np.int32), np.array([2]))


def ask(mechanism: Any = COUNT, **given: Any) -> graph_asking.GraphAnswer:
    return ask_graph(AskGraph(data=given.pop("data", RING), mechanism=mechanism, **given))


@contextmanager
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "ledger.sqlite", create=False) as found:
        yield found


def test_a_question_on_its_own_may_spend_all_and_leaves_nothing(tmp_path: Path) -> None:
    answer = ask()
    assert answer.spent["epsilon"] == 0.5 and answer.remaining["epsilon"] == 0
    assert "no budget is kept" in answer.notes[0] and not list(tmp_path.iterdir())
    document = answer.to_json()
    assert document["mechanism"] == "edge-count(epsilon=1/2)" and isinstance(document["answer"], dict)
    assert list(answer.to_tables()) == ["answer", "budget"]


def test_a_budget_is_remembered_and_never_overdrawn(tmp_path: Path) -> None:
    kept = {"ledger": tmp_path / "ledger.sqlite"}
    assert ask(budget=1, **kept).remaining["epsilon"] == 0.5
    assert ask("edge-count(epsilon=0.3)", **kept).remaining["epsilon"] == pytest.approx(0.2)
    with pytest.raises(Spent, match=r"costs ε=0.3 and ε=0.2"):
        ask("edge-count(epsilon=0.3,k=2)", **kept)
    with ledger(tmp_path) as found:
        assert found.check().holds
        assert float(found.spent("graph, one edge").exact[0]) == pytest.approx(0.8)


def test_the_same_question_is_answered_alike_and_paid_for_once(tmp_path: Path) -> None:
    kept = {"ledger": tmp_path / "ledger.sqlite"}
    first, again = ask(budget=2, **kept), ask(**kept)
    assert again.archived and again.answer == first.answer and again.spent["epsilon"] == 0
    assert again.tables == first.tables and again.remaining == first.remaining
    other = Graph.of_edges(30, list(range(29)), list(range(1, 30)))
    assert not ask(data=other, **kept).archived, "another graph is another question"
    assert not ask("edge-count(epsilon=0.25)", **kept).archived


def test_edges_and_people_are_paid_for_from_budgets_of_their_own(tmp_path: Path) -> None:
    kept = {"ledger": tmp_path / "ledger.sqlite"}
    ask(budget=1, **kept)
    people = "edge-count(epsilon=0.5,neighbours=node,bound=5)"
    with pytest.raises(BadParameter, match=r"no budget for graph, one node yet; begin one with --budget E"):
        ask(people, **kept)
    assert ask(people, budget=3, **kept).remaining["epsilon"] == 2.5
    assert ask("edge-count(epsilon=0.1)", **kept).remaining["epsilon"] == pytest.approx(0.4)


@dataclass(frozen=True)
class Failing(Mechanism[Graph, Any]):
    """Fails after it was paid for."""

    name: ClassVar[str] = "failing"
    kind: str = "defect"
    epsilon: Fraction = Fraction(1, 2)

    def release(self, graph: Graph) -> Any:
        if self.kind == "defect":
            raise RuntimeError(f"the secret is {graph.edges}")
        raise BadGraph("the graph is odd; mend it")


def test_a_ledger_of_tables_that_lies_beside_a_graph_does_not_stand_in_the_way(tmp_path: Path) -> None:
    drawn, place = tmp_path / "network.csv", tmp_path / "shoal-ledger.sqlite"
    drawn.write_text("".join(f"{one},{(one + 1) % 9}\n" for one in range(9)), "utf-8")
    with open_ledger(place) as found:
        counting = accounting_of("approximate")
        found.open("files", counting.limit(Budget(Fraction(1), Fraction(0))), "refuse", "approximate")
    before = place.read_bytes()
    answer = ask(data=drawn)
    assert answer.remaining["epsilon"] == 0 and "no budget is kept" in answer.notes[0]
    assert place.read_bytes() == before, "nothing is written that nobody asked for"
    ask("edge-count(epsilon=0.25)", data=drawn, budget=1)
    assert ask("edge-count(epsilon=0.5)", data=drawn).remaining["epsilon"] == 0.25, "now there is one"
    with pytest.raises(BadParameter, match="no budget for graph, one node yet"):
        ask("edge-count(epsilon=0.5,neighbours=node,bound=4)", data=drawn)


def test_what_fails_after_the_cost_was_noted_stays_spent_and_tells_nothing(tmp_path: Path) -> None:
    kept = {"ledger": tmp_path / "ledger.sqlite"}
    with pytest.raises(Unanswered) as told:
        ask(Failing(), budget=1, **kept)
    assert "secret" not in str(told.value) and "stays spent" in str(told.value)
    with pytest.raises(BadGraph, match="mend it; what the question cost stays spent"):
        ask(Failing("input"), **kept)
    with pytest.raises(Spent):
        ask(**kept)


def test_the_cost_is_on_disk_before_the_graph_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"ledger": tmp_path / "ledger.sqlite"}
    ask(budget=1, **kept)
    seen = []

    def read(*_: Any) -> Any:
        with ledger(tmp_path) as found:
            seen.append(float(found.spent("graph, one edge").exact[0]))
        raise KeyboardInterrupt

    monkeypatch.setattr(graph_asking, "read", read)
    with pytest.raises(KeyboardInterrupt):
        ask("edge-count(epsilon=0.25)", **kept)
    assert seen == [0.75]
    with ledger(tmp_path) as found:
        assert float(found.spent("graph, one edge").exact[0]) == 0.75, "it is not given back"


@pytest.mark.parametrize(
    ("given", "cause"),
    [
        ({"budget": 1}, "Name a file with --ledger"),
        ({"ledger": "nowhere.sqlite"}, "there is no ledger 'nowhere.sqlite' yet"),
        ({"mechanism": "laplace(epsilon=1)"}, "'laplace' is a mechanism for questions"),
        ({"mechanism": "edge-count(epsilon=0)"}, "epsilon"),
        ({"mechanism": "edge-count"}, "edge-count needs epsilon"),
        ({"mechanism": "nothing(epsilon=1)"}, "no mechanism 'nothing'"),
        ({"budget": -1, "ledger": "new.sqlite"}, "--budget"),
        ({"data": GROUPS, "budget": 1, "ledger": "new.sqlite"}, "has groups, not people"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_nothing_is_written(
    given: dict[str, Any], cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((BadParameter, BadGraph), match=cause):
        ask(**given)
    assert not list(tmp_path.iterdir())


def test_a_mechanism_may_be_an_object() -> None:
    assert ask(EdgeCount(Fraction(1, 2))).mechanism == "edge-count(epsilon=1/2)"
