"""The record beside a release: everything a check needs, nothing that must stay secret.

It holds no keys, no seed, no suppressed rows and no original values but the distribution of the sensitive
columns over the whole table, which t-closeness compares with. All else in it follows from the release, the
number of rows and what the user declared: no guess at the original can be confirmed by it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from shoal.core.errors import BadInput, BadTable
from shoal.core.outcome import Json, number
from shoal.tables.column_decisions import Decisions
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.published_losses import all_declared, published_losses, published_optimal
from shoal.tables.release import TableRelease
from shoal.tables.table import Table
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
    steps: tuple[str, ...] = ()
    guarantees: Mapping[str, float] = field(default_factory=dict)
    method: str = ""
    suppressed: int = 0
    minimal: bool = True
    decisions: Decisions | None = None  # who decided about each column; older manifests do not say
    insensitive: tuple[str, ...] | None = None  # None in a record of a release that was not written
    rows: int | None = None
    escaped: bool = False  # texts that look like formulas have a ' before them in the file

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """The record in a file; refused in one sentence when it is not one."""
        try:
            record = json.loads(path.read_text("utf-8"))
            roles, levels = record["roles"], record["levels"]
            return cls(
                identifier=_texts(roles["identifier"]),
                quasi=_texts(roles["quasi"]),
                sensitive=_texts(roles["sensitive"]),
                models=_texts(record["models"]),
                domains={name: _domain(name, found) for name, found in record["sensitive"].items()},
                released=int(record["released"]),
                output=record["hashes"]["output"],
                levels=None if levels is None else {name: int(level) for name, level in levels.items()},
                steps=_texts(record["settings"].get("step", [])),
                guarantees={name: float(x) for name, x in record.get("guarantees", {}).items()},
                method=str(record["method"]),
                suppressed=int(record["suppressed"]),
                minimal=bool(record.get("minimal", True)),
                decisions=Decisions.read(record["decisions"]) if "decisions" in record else None,
                insensitive=_texts(roles["insensitive"]) if "insensitive" in roles else None,
                rows=int(record["rows"]) if "rows" in record else None,
                escaped=bool(record["settings"].get("escape_formulas", False)),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, BadInput) as error:
            raise BadTable(
                f"{path.name} is not a manifest of Shoal ({type(error).__name__}: {error}); "
                "delete it to verify by flags alone"
            ) from error

    @classmethod
    def of(cls, release: TableRelease) -> Manifest:
        """What the record of a release that was not written would say."""
        return cls(
            identifier=(),
            quasi=release.table.quasi,
            sensitive=release.table.sensitive,
            models=tuple(promise.model for promise in release.promises),
            domains=release.domains,
            released=release.released,
            output=None,
            levels=release.levels,
            guarantees=release.guarantees,
            method=release.method,
            suppressed=release.suppressed,
            minimal=release.minimal,
            decisions=release.decisions,
        )


def beside(output: str | Path) -> Path:
    """Where the record of a release is."""
    return Path(f"{output}.shoal.json")


def record(
    release: TableRelease,
    identifier: tuple[str, ...],
    settings: Mapping[str, Json],
    output: str | None,
    declared: Collection[str] = (),
) -> str:
    """The record of a release as JSON text.

    `output` is the fingerprint of the released file, none for a table in an engine; `declared` are the
    columns whose hierarchy says by itself what values there are.
    """
    losses = published_losses(release.losses, all_declared(release, declared))
    document: dict[str, Json] = {
        "shoal": __version__,
        "kind": "table",
        "roles": {
            "identifier": list(identifier),
            "quasi": list(release.table.quasi),
            "sensitive": list(release.table.sensitive),
            "insensitive": list(release.table.insensitive),
        },
        "decisions": release.decisions.to_json(),
        "models": [promise.model for promise in release.promises],
        "method": release.method,
        "settings": dict(settings),
        "optimal": published_optimal(release),
        "minimal": release.minimal,
        "levels": None if release.levels is None else dict(release.levels),
        "losses": {name: number(losses[name]) if name in losses else None for name in release.losses},
        "losses_withheld": [name for name in release.losses if name not in losses],
        "guarantees": dict(release.guarantees),
        "rows": release.rows,
        "released": release.released,
        "suppressed": release.suppressed,
        "sensitive": {name: _domain_json(domain) for name, domain in release.domains.items()},
        "hashes": {"output": output},
        "known_by": KNOWN_BY,
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _domain_json(domain: Domain) -> dict[str, Json]:
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
    values, totals = _labels(found["values"]), np.array(found["rows"], np.int64)
    if len(set(values)) != len(values) or totals.shape != (len(values),) or (totals < 0).any():
        raise ValueError(f"the distribution of {name} does not give each value one count")
    if not totals.sum() or (taxonomy is not None and taxonomy.leaves != values):
        raise ValueError(f"the distribution of {name} is empty or does not fit its taxonomy")
    return Domain(name, values, totals, bool(found["ordered"]), taxonomy, public=True)


def _texts(found: list[Any]) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise TypeError(f"{found!r} is not a list of texts")
    return tuple(found)


def _labels(found: list[Any]) -> tuple[Label, ...]:
    if not isinstance(found, list) or not all(item is None or isinstance(item, str) for item in found):
        raise TypeError("a sensitive value is not text")
    return tuple(found)


def strangers_to(domain: Domain, table: Table) -> list[Label]:
    """The values of a released column that its table-wide distribution does not have."""
    if domain.parts or domain.column not in table.columns:
        return []
    return sorted(set(texts(table.frame[domain.column]).unique()) - set(domain.values), key=str)


def add_unknown_value(domain: Domain, table: Table) -> Domain:
    """The distribution with a place at the end for values that nobody had in the original."""
    new = strangers_to(domain, table)
    if not new:
        return domain
    taxonomy = None if domain.taxonomy is None else domain.taxonomy.with_alone(new)
    totals = np.append(domain.totals, np.zeros(len(new), np.int64))
    return Domain(domain.column, (*domain.values, *new), totals, domain.ordered, taxonomy, domain.public)
