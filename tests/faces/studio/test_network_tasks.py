"""What the page of networks asks of a worker, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from faces.studio.test_networks import network_in
from shoal.core.errors import ShoalError
from shoal.faces.studio import network_tasks as tasks


def test_a_network_is_protected_attacked_and_reported(tmp_path: Path) -> None:
    network = network_in(tmp_path)
    looked = tasks.look(str(network.folder))
    assert looked["nodes"] == 30 and looked["picture"].startswith("<svg")
    made = tasks.protect(str(network.folder), "k-degree(k=3)")
    assert made["models"][0]["holds"] and made["after"]["anonymity"]["degree"] >= 3
    assert shoal.verify(network.release, model="k-degree(k=3)").holds
    assert network.mapping.stat().st_mode & 0o077 == 0
    (found,) = tasks.attack(str(network.folder), "degree")
    assert found["hits"] == 0 and found["targets"] == 30
    tasks.report(str(network.folder))
    assert "Release report" in network.report.read_text()
    # Another release forgets what was found about the one before.
    tasks.protect(str(network.folder), "k-degree(k=2)")
    assert network.recall("attacks") is None and not network.report.exists()


def test_groups_are_not_compared_person_by_person(tmp_path: Path) -> None:
    network = network_in(tmp_path)
    made = tasks.protect(str(network.folder), "k-grouping(k=3)")
    assert made["models"][0]["holds"] and made["after"] is None and not made["picture"]


def test_what_cannot_be_leaves_the_release_before_it(tmp_path: Path) -> None:
    network = network_in(tmp_path)
    tasks.protect(str(network.folder), "k-degree(k=2)")
    before = network.release.read_bytes()
    with pytest.raises(ShoalError):
        tasks.protect(str(network.folder), "k-degree(k=31)")
    assert network.release.read_bytes() == before


def test_promises_and_attacks_come_from_the_catalog_with_a_sentence() -> None:
    found = tasks.parts()
    assert found["usual"] == "k-degree" and found["usual"] in {one["name"] for one in found["model"]}
    assert all(one["promise"] for one in (*found["model"], *found["attack"]))
