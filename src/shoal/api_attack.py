"""`shoal.attack` for tables, graphs and questions, in the words of the command line with `_` for `-`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, overload

from shoal.core.outcome import Finding
from shoal.jobs.graphs.is_graph_call import about_graph
from shoal.jobs.graphs.requests import AttackGraph
from shoal.jobs.queries.is_query_call import about_query
from shoal.jobs.queries.requests import AttackQuery
from shoal.jobs.request import Columns, request_of, with_signatures_of
from shoal.jobs.tables.attack import attack_table
from shoal.jobs.tables.requests import AttackTable


@overload
def attack(
    data: Any,
    attack: Any,
    *,
    manifest: str | Path | None = None,
    external: Any = None,
    target: Any = (),
    other: Any = (),
    original: Any = None,
    control: Any = None,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    show: int | None = None,
    seed: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Finding: ...


@overload
def attack(
    data: Any,
    attack: Any,
    *,
    original: Any = None,
    auxiliary: Any = None,
    seeds: Any = None,
    truth: Any = None,
    model: Any = (),
    k: int | None = None,
    method: Any = None,
    show: int | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Finding: ...


@overload
def attack(
    data: Any,
    attack: Any,
    *,
    unit: str | None = None,
    secret: str | None = None,
    against: Any = None,
    service: str | None = None,
    token: str | None = None,
    dataset: str | None = None,
    known: Columns = (),
    population: Any = None,
    release: Any = None,
    bounds: Any = (),
    kind: Any = (),
    epsilon: Any = None,
    show: int | None = None,
    chart: str | Path | None = None,
    seed: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Finding: ...


@with_signatures_of(AttackTable, AttackGraph, AttackQuery)
def attack(data: Any, attack: Any, **options: Any) -> Finding:
    """What an attack of the catalog achieves: who is hit, what is learned, and what would stop it.

    Of a table: `external` are people that the attacker knows, `target` one of them as in
    "name=Bob,zip=47678"; `other` are further releases about the same people, `original` and `control` tell
    right guesses from wrong.

    Of a graph: `original` is what people know of themselves, `auxiliary` another network with some of them,
    `seeds` those whom the attacker has found there, `truth` who is who; `model`, `k` and `method` say how a
    release is made, for attacks that begin before it.

    Of questions: `data` maps the name of a table to its file or frame, `unit` is the column that tells whose
    row it is, `secret` what is private. `against` says who answers: a name such as "minimum-size(n=10)", a
    client, an open database, or any function that takes SQL and returns a number.
    """
    if about_query(attack):
        from shoal.jobs.queries.attack import attack_query

        return attack_query(request_of(AttackQuery, data, {**options, "attack": attack}))
    if about_graph(data, {**options, "attack": attack}):
        from shoal.jobs.graphs.attack import attack_graph

        return attack_graph(request_of(AttackGraph, data, {**options, "attack": attack}))
    return attack_table(request_of(AttackTable, data, {**options, "attack": attack}))
