"""Attacks on graphs: the worked examples of lectures and papers."""

import polars as pl

import shoal
from shoal.graphs.graph import Graph

# The lecture's network of e-mails: Alice wrote to three people, Cathy to five, and nobody else to as many.
MAIL = Graph.of_edges(
    7,
    [0, 0, 0, 2, 2, 2, 2, 1, 4, 4, 1],
    [1, 2, 4, 1, 3, 5, 6, 4, 3, 6, 5],
    labels=pl.Series(["Alice", "Bob", "Cathy", "Dan", "Ed", "Fay", "Gus"]),
)


def release() -> shoal.GraphRelease:
    return shoal.protect(MAIL, method="naive", seed=5)


def test_alice_and_cathy_find_themselves_by_their_degrees() -> None:
    found = shoal.attack(release(), "degree", original=MAIL)
    assert [told["who"] for told in found.findings] == [{"name": "Alice"}, {"name": "Cathy"}]
    assert [told["learned"]["friends"] for told in found.findings] == [3, 5]  # type: ignore[index,call-overload]
    assert found.wrong == 0


def test_together_they_find_bob_then_ed_then_the_edge_between_them() -> None:
    found = shoal.attack(release(), "pooled-knowledge(people=Alice|Cathy)", original=MAIL)
    assert [told["who"] for told in found.findings] == [{"name": name} for name in ("Bob", "Ed", "Bob")]
    assert found.findings[-1]["learned"] == {"edge": "Bob – Ed"}
    assert (found.rate.hits, found.rate.targets, found.wrong) == (2, 5, 0)


def test_the_cure_hides_alice_and_cathy() -> None:
    found = shoal.attack(release(), "degree", original=MAIL)
    assert found.cured is not None and found.cured.rate.hits == 0
