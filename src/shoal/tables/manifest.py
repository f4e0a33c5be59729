"""The record beside a release: everything a check needs, nothing that must stay secret.

It holds no keys, no seed, no suppressed rows and no original values but the distribution of the sensitive
columns over the whole table, which t-closeness compares with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from shoal.core.errors import BadTable
from shoal.core.outcome import Json, number
from shoal.tables.classes import Domain
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.release import TableRelease
from shoal.version import __version__

KNOWN_BY = (
    "Assume that every attacker has this file: the minimality attack, downcoding and any linkage start from "
    "the method, the models and the levels."
)


@dataclass(frozen=True, eq=False)
class Manifest:
    """What the record beside a release says."""

    identifier: tuple[str, ...]
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    models: tuple[str, ...]
    domains: Mapping[str, Domain]
    released: int
    output: str | None
    levels: Mapping[str, int] | None

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """The record in a file; refused in one sentence when it is not one."""
        try:
            record = json.loads(path.read_text("utf-8"))
            roles = record["roles"]
            return cls(
                identifier=tuple(roles["identifier"]),
                quasi=tuple(roles["quasi"]),
                sensitive=tuple(roles["sensitive"]),
                models=tuple(record["models"]),
                domains={name: _domain(name, found) for name, found in record["sensitive"].items()},
                released=int(record["released"]),
                output=record["hashes"]["output"],
                levels=record["levels"],
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadTable(
                f"{path.name} is not a manifest of Shoal ({type(error).__name__}: {error}); "
                "delete it to verify by flags alone"
            ) from error


def beside(output: str | Path) -> Path:
    """Where the record of a release is."""
    return Path(f"{output}.shoal.json")


def record(
    release: TableRelease,
    identifier: tuple[str, ...],
    settings: Mapping[str, Json],
    hashes: Mapping[str, str | None],
) -> str:
    """The record of a release as JSON text."""
    document: dict[str, Json] = {
        "shoal": __version__,
        "kind": "table",
        "roles": {
            "identifier": list(identifier),
            "quasi": list(release.table.quasi),
            "sensitive": list(release.table.sensitive),
            "insensitive": list(release.table.insensitive),
        },
        "models": [promise.model for promise in release.promises],
        "method": release.method,
        "settings": dict(settings),
        "optimal": release.optimal,
        "levels": None if release.levels is None else dict(release.levels),
        "losses": {name: number(value) for name, value in release.losses.items()},
        "rows": release.rows,
        "released": release.released,
        "suppressed": release.suppressed,
        "sensitive": {name: _written(domain) for name, domain in release.domains.items()},
        "hashes": dict(hashes),
        "known_by": KNOWN_BY,
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _written(domain: Domain) -> dict[str, Json]:
    taxonomy: Json = None
    if domain.taxonomy is not None:
        taxonomy = [list(level) for level in domain.taxonomy.levels()]
    return {
        "values": list(domain.values),
        "rows": domain.totals.tolist(),
        "ordered": domain.ordered,
        "taxonomy": taxonomy,
    }


def _domain(name: str, found: dict[str, Any]) -> Domain:
    taxonomy = None if found["taxonomy"] is None else Hierarchy.of_levels(found["taxonomy"])
    return Domain(
        name, tuple(found["values"]), np.array(found["rows"], np.int64), bool(found["ordered"]), taxonomy
    )
