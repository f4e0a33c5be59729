"""The attacks on tables that somebody can choose from, and what each needs beside a release."""

from __future__ import annotations

from dataclasses import dataclass

from shoal import catalog
from shoal.core.errors import ShoalError


@dataclass(frozen=True)
class AttackChoice:
    """One attack: its name, what it does, and what it cannot do without."""

    name: str
    words: str
    needs: tuple[str, ...]


def attack_choices() -> list[AttackChoice]:
    """All attacks on tables that need no parameters."""
    found = []
    for name in catalog.names("attack"):
        part = catalog.Part("attack", name, catalog.find("attack", name))
        if part.noun != "table":
            continue
        try:
            needs = tuple(catalog.make("attack", name).needs)
        except ShoalError:  # it asks for parameters
            continue
        found.append(AttackChoice(name, part.promise, needs))
    return found
