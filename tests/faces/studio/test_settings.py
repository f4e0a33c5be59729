"""Settings are data: to JSON and to the words of a project file, and back."""

from __future__ import annotations

from shoal.faces.studio.settings import Settings

MADE = Settings(
    roles={"name": "identifier", "zip": "quasi", "ill": "sensitive", "id": "insensitive"},
    accepted=("zip",),
    hierarchy={"zip": "mask()", "name": "mask()"},
    model=("k-anonymity(k=3)", "l-diversity(l=2)"),
    suppress=0.1,
    seed=7,
)


def test_settings_survive_json() -> None:
    assert Settings.from_json(MADE.to_json()) == MADE


def test_only_columns_that_have_a_use_for_a_hierarchy_give_one() -> None:
    assert MADE.used_hierarchies() == {"zip": "mask()"}
