"""What became of the columns."""

import json

import polars as pl

from shoal.tables.appraisal.dossier import stories
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table

ORIGINAL = pl.DataFrame({"name": list("ABCD"), "zip": ["11", "12", "21", "22"], "ill": ["a", "a", "b", "b"]})
HIERARCHY = Hierarchy.of_levels([["11", "12", "21", "22"], ["1*", "1*", "2*", "2*"]])


def test_a_quasi_identifier_climbs_and_others_stay() -> None:
    frame = pl.DataFrame({"zip": ["1*", "1*", "2*"], "ill": ["a", "a", "b"]})
    release = Table(frame, quasi=("zip",), sensitive=("ill",), hierarchies={"zip": HIERARCHY})
    name, zip_, ill = stories(("name",), Scene(release), ORIGINAL, {"levels": {"zip": 1}})
    assert (name.role, name.fate) == ("identifier", "removed")
    assert (zip_.fate, zip_.level, zip_.height, zip_.labels) == ("coarsened", 1, 2, ("1*",))
    assert zip_.after == 2 and ill.fate == "unchanged"
    told = json.dumps([story.to_json() for story in (name, zip_, ill)])
    assert "before" not in told and "shift" not in told, "what the original has tells of rows left out"


def test_what_was_changed_by_a_step_or_hidden_is_said() -> None:
    release = Table(pl.DataFrame({"zip": ["*", "*"], "pay": ["1", "2"]}), quasi=("zip",))
    record = {"settings": {"step": ["noise(column=pay)"]}}
    zip_, pay = stories((), Scene(release), None, record)
    assert (zip_.fate, pay.fate, pay.role) == ("hidden", "changed", "insensitive")
    assert stories((), Scene(release), None, {})[1].fate == "unknown", "without a record"
