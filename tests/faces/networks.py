"""Small networks as files."""

import random
from pathlib import Path


def pairs(nodes: int = 40, seed: int = 1) -> list[tuple[int, int]]:
    """A connected network with a few hubs, every edge once."""
    chance = random.Random(seed)
    found = {(chance.randrange(node), node) for node in range(1, nodes)}
    found |= {(0, node) for node in range(1, nodes, 4)}
    return sorted(found, key=lambda _: chance.random())


def network() -> str:
    """People with names and a weight, as CSV."""
    lines = [f"person {one},person {other},{one + other}" for one, other in pairs()]
    return "\n".join(["source,target,weight", *lines]) + "\n"


def numbered() -> str:
    """The same people by numbers with gaps, as plain text."""
    return "".join(f"{3 * one + 7} {3 * other + 7}\n" for one, other in pairs())


def edges_in(name: str) -> set[frozenset[str]]:
    """The edges of a text file, by the labels of their ends."""
    lines = Path(name).read_text("utf-8").splitlines()
    split = [line.replace(",", " ").split() if "person" not in line else line.split(",") for line in lines]
    ends = [frozenset(field.strip('"') for field in fields[:2]) for fields in split]
    return {pair for pair in ends if pair != {"source", "target"}}
