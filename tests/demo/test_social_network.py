"""The third act: a network before and after."""

from __future__ import annotations

import json

import pytest

from shoal.demo.social_network import PEOPLE, K, SocialNetwork, network, play_network
from shoal.graphs.graph import Graph


@pytest.fixture(scope="module")
def act(tmp_path_factory: pytest.TempPathFactory) -> SocialNetwork:
    told: list[str] = []
    played = play_network(tmp_path_factory.mktemp("demo"), told.append)
    assert told == [
        f"Protecting a network of {PEOPLE:,} of them: everybody has as many friends as {K - 1} others."
    ]
    return played


def test_nobody_is_alone_with_a_number_of_friends_any_more(act: SocialNetwork) -> None:
    before, after = act.before.to_json(), act.after.to_json()
    assert before["anonymity"]["degree"] == 1  # type: ignore[call-overload,index]
    assert after["anonymity"]["degree"] >= K  # type: ignore[call-overload,index,operator]
    assert act.verified and act.release.removed == 0


def test_it_says_what_the_promise_does_not_stop(act: SocialNetwork) -> None:
    (rows,) = act.to_tables().values()
    known = next(row for row in rows if "friends' numbers" in row[0])
    assert float(known[2].rstrip("%")) > 50  # who knows more than a degree still finds most


def test_it_becomes_one_document(act: SocialNetwork) -> None:
    assert json.loads(json.dumps(act.to_json(), allow_nan=False)) == act.to_json()


def test_the_network_is_the_same_every_time() -> None:
    one, other = network(200, 600), network(200, 600)
    assert isinstance(one, Graph) and (one.targets == other.targets).all()
    assert one.degrees.max() > 3 * one.degrees.mean()  # some people whom very many know
