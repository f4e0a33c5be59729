"""The attacks that somebody can choose."""

from shoal import catalog
from shoal.jobs.tables.attack_choices import attack_choices


def test_every_choice_can_be_made_and_says_what_it_needs() -> None:
    found = {one.name: one for one in attack_choices()}
    assert found["linkage"].needs == ("external",)
    assert "degree" not in found  # an attack on networks
    for one in found.values():
        assert one.words and catalog.make("attack", one.name).name == one.name
