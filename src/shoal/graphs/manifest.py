"""The record beside a released graph: what a check needs, nothing that must stay secret.

It holds no seed, no labels of the original, no mapping and no fingerprint of the original: a guess which
edges are new could be checked by that. Where noise was promised to hide the original, it holds no exact
figure of it either.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.core.errors import BadGraph
from shoal.core.outcome import Json
from shoal.graphs.graph import Cleaning, Graph
from shoal.graphs.release import GraphRelease
from shoal.version import __version__

KIND = "graph"
KNOWN_BY = (
    "Assume that every attacker has this file: whoever guesses which edges were added or removed starts from "
    "the method, the models and the counts."
)


@dataclass(frozen=True)
class GraphManifest:
    """What the record beside a released graph says."""

    models: tuple[str, ...]
    output: str | None
    method: str = ""
    directed: bool = False
    guarantees: Mapping[str, float] = field(default_factory=dict)
    labels: str | None = None  # kept, made at random, or of nobody
    kinds: str | None = None  # the attribute of nodes that tells what they are, where it goes out

    @classmethod
    def read(cls, path: Path) -> GraphManifest:
        """The record in a file; refused in one sentence when it is not one."""
        try:
            record = json.loads(path.read_text("utf-8"))
            if record["kind"] != KIND:
                raise ValueError(f"it is the record of a {record['kind']}")
            models, output = record["models"], record["hashes"]["output"]
            if not isinstance(models, list) or not all(isinstance(model, str) for model in models):
                raise ValueError("its models are not a list of texts")
            if not isinstance(output, str):
                raise ValueError("it has no fingerprint of the release")
            return cls(
                models=tuple(models),
                output=output,
                method=str(record["method"]),
                directed=bool(record["directed"]),
                guarantees={name: _guarantee(name, value) for name, value in record["guarantees"].items()},
                labels=_labels(record["settings"]["labels"]),
                kinds=_kinds(record["settings"]["kinds"]),
            )
        except (
            OSError,
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            OverflowError,
            RecursionError,
        ) as error:
            raise BadGraph(
                f"{path.name} is not a manifest of a graph ({type(error).__name__}: {error}); "
                "delete it to verify by flags alone"
            ) from error

    @classmethod
    def of(cls, release: GraphRelease) -> GraphManifest:
        """What the record of a release that was not written would say."""
        return cls(
            models=tuple(promise.model for promise in release.promises),
            output=None,
            method=release.method,
            directed=is_directed(release),
            guarantees=release.guarantees,
            labels=labels_of(release),
        )


def beside(output: str | Path) -> Path:
    """Where the record of a release is."""
    return Path(f"{output}.shoal.json")


def labels_of(release: GraphRelease) -> str | None:
    """Where the labels of a release come from: kept, random, or neither where nodes stand for nobody."""
    if not release.paired:
        return None
    return "random" if release.renamed else "keep"


def is_directed(release: GraphRelease) -> bool:
    """Whether direction counts in what goes out."""
    return isinstance(release.graph, Graph) and release.graph.directed


def is_of_graph(path: Path) -> bool:
    """Whether a file is the record of a graph, as far as it can be read."""
    try:
        found: Any = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("kind") == KIND


def record(
    release: GraphRelease, settings: Mapping[str, Json], cleaned: Cleaning, hashes: Mapping[str, str | None]
) -> str:
    """The record of a release as JSON text; `cleaned` is what was left out of the original."""
    counts: dict[str, Json] = {
        # Of columns that stay in the house their number goes out, and not what they are called.
        name: len(value) if isinstance(value, tuple) else value
        for name, value in dataclasses.asdict(cleaned).items()
    }
    settings = {"kinds": None, **settings, "labels": labels_of(release)}
    document: dict[str, Json] = {
        "shoal": __version__,
        "kind": KIND,
        "models": [promise.model for promise in release.promises],
        "method": release.method,
        "settings": dict(settings),
        "nodes": release.nodes,
        **release.figures,
        # Originals with one release and one number of edges differ in these: none added and none removed
        # would tell that every edge is true, and a bound follows from the degrees of the original.
        **dict.fromkeys(("added", "removed", "bound")),
        "directed": is_directed(release),
        "paired": release.paired,
        # What was left out of the original is an exact figure of it, too.
        "cleaned": None if release.guarantees else counts,
        "guarantees": dict(release.guarantees),
        "hashes": dict(hashes) if not release.guarantees else {**hashes, "input": None},
        "known_by": KNOWN_BY,
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _labels(found: Any) -> str | None:
    if found not in ("keep", "random", None):
        raise ValueError(f"its labels are {found!r}")
    return str(found) if found else None


def _guarantee(name: str, found: Any) -> float:
    least = 1 if name in ("edges", "nodes") else 0
    if not least <= float(found) < math.inf:  # what is no number is not below either
        raise ValueError(f"its {name} is {found!r}")
    return float(found)


def _kinds(found: Any) -> str | None:
    if not isinstance(found, str | None):
        raise ValueError(f"its kinds are {found!r}")
    return found
