"""JSON Schemas of what every command prints with `--json`: the names that scripts may rely on.

A document may have more names than its schema, and may get more later; none of those here goes away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.core.outcome import Json
from shoal.jobs.keywords import check_words

Schema = dict[str, Any]
DRAFT = "https://json-schema.org/draft/2020-12/schema"

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {}


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _by_name(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _object(optional: Mapping[str, Schema] | None = None, /, **needed: Schema) -> Schema:
    return {"type": "object", "properties": {**needed, **(optional or {})}, "required": list(needed)}


NOTES = _list(TEXT)
PROMISES = _list(_object(name=TEXT, level=_maybe(NUMBER), holds=_maybe(FLAG), model=TEXT))
LOSSES = _by_name(_maybe(NUMBER))
FIGURES = _by_name(_maybe(NUMBER))
SPREAD = _object(lowest=NUMBER, average=NUMBER, highest=NUMBER)
RISK = _object({"journalist": SPREAD}, prosecutor=SPREAD, marketer=_object(average=NUMBER))
ESTIMATE: Schema = {"anyOf": [_maybe(NUMBER), _object(value=_maybe(NUMBER), low=NUMBER, high=NUMBER)]}
VERDICT = _object(holds=FLAG, models=PROMISES, notes=NOTES)
FINDING = _object(
    attack=TEXT,
    targets=COUNT,
    hits=COUNT,
    rate=SHARE,
    interval=_list(SHARE, minItems=2, maxItems=2),
    baseline=NUMBER,
    findings=_list({"type": "object"}),
    cure=TEXT,
    details={"type": "object"},
    cured=_maybe(_object(how=TEXT, targets=COUNT, hits=COUNT, rate=SHARE, lost=NUMBER)),
)
APPRAISAL = _object(
    {"losses": LOSSES},
    rows=COUNT,
    classes=COUNT,
    smallest_class=COUNT,
    distinction=_by_name(NUMBER),
    separation=_by_name(NUMBER),
    risk=RISK,
)
_PART = _object({"stops": _list(TEXT)}, name=TEXT, of=TEXT, parameters=TEXT, promise=TEXT, paper=TEXT)
_PARAMETER = _object(name=TEXT, needed=FLAG, default=ANY)
_ENTRY = _object(
    kind=TEXT,
    name=TEXT,
    of=TEXT,
    promise=TEXT,
    explained=TEXT,
    parameters=_list(_PARAMETER),
    stops=_list(TEXT),
    paper=TEXT,
    page=TEXT,
)
_KINDS = ("models", "methods", "steps", "attacks", "measures", "mechanisms")
_POINT = _object(
    setting=TEXT,
    method=TEXT,
    models=PROMISES,
    suppress=NUMBER,
    reached=FLAG,
    reason=_maybe(TEXT),
    released=_maybe(COUNT),
    suppressed=_maybe(COUNT),
    risk=_maybe({"type": "object"}),
    losses=_maybe(LOSSES),
    seconds=NUMBER,
    figures=_object(risk=_maybe(NUMBER), utility=_maybe(NUMBER)),
    front=FLAG,
)
_AXIS = _object(name=TEXT, title=TEXT, better=TEXT)
_INTERVAL = _maybe(_list(_maybe(NUMBER), minItems=2, maxItems=2))
_ANSWER = _object(
    columns=_list(TEXT),
    rows=_list(_list(ANY)),
    error=FIGURES,
    interval=_list(_list(_INTERVAL)),
    spent=FIGURES,
    remaining=FIGURES,
    notes=NOTES,
    archived=FLAG,
    query=TEXT,
    id=_maybe(WHOLE),
)

_NAMED = _object(figures={"type": "object"}, notes=NOTES)  # measures that were named with --only
_GRAPH = _object(
    nodes=COUNT,
    edges=COUNT,
    density=ESTIMATE,
    clustering=_by_name(ESTIMATE),
    average_path_length=ESTIMATE,
    average_path_length_reachable=ESTIMATE,
    diameter=ESTIMATE,
    power_law_exponent=ESTIMATE,
    anonymity=_object(degree=ANY),
    notes=NOTES,
)

SCHEMAS: Mapping[str, Schema] = {
    "catalog": {
        "anyOf": [_object(**{kind: _list(_PART) for kind in _KINDS}), _object(entries=_list(_ENTRY))]
    },
    "demo": _object(
        rows=COUNT,
        before={"type": "object"},
        after={"type": "object"},
        released=COUNT,
        suppressed=COUNT,
        verified=FLAG,
        models=PROMISES,
        folder=TEXT,
        files=_list(TEXT),
    ),
    "report": _object(
        title=TEXT,
        release=TEXT,
        rows=COUNT,
        released=COUNT,
        suppressed=_maybe(COUNT),
        columns=_list({"type": "object"}),
        holds=FLAG,
        models=PROMISES,
        attacks=_list({"type": "object"}),
        risk=APPRAISAL,
        losses=LOSSES,
        notes=NOTES,
    ),
    "table inspect": _object(
        columns=_by_name(
            _object(
                role={"enum": ["identifier", "quasi", "sensitive", "insensitive"]},
                reason=TEXT,
                distinction=SHARE,
                separation=SHARE,
                pattern=_maybe(TEXT),
            )
        ),
        combinations=_list(_object(columns=TEXT, distinction=SHARE, separation=SHARE)),
    ),
    "table protect": _object(
        rows=COUNT,
        released=COUNT,
        suppressed=COUNT,
        classes=COUNT,
        method=TEXT,
        optimal=_maybe(FLAG),
        levels=_maybe(_by_name(COUNT)),
        models=PROMISES,
        losses=LOSSES,
        seconds=NUMBER,
        notes=NOTES,
    ),
    "table compare": _object(
        rows=COUNT, risk=_AXIS, utility=_AXIS, points=_list(_POINT), front=_list(TEXT), notes=NOTES
    ),
    "table verify": VERDICT,
    "table measure": {"anyOf": [APPRAISAL, _NAMED]},
    "table attack": FINDING,
    "table hierarchy": _object(
        reason=TEXT, height=COUNT, leaves=COUNT, ladder=_list(_list(_maybe(TEXT), minItems=2))
    ),
    "graph protect": _object(
        nodes=COUNT,
        edges_before=_maybe(COUNT),
        edges_after=COUNT,
        added=_maybe(COUNT),
        removed=_maybe(COUNT),
        models=PROMISES,
        method=TEXT,
        seconds=NUMBER,
        notes=NOTES,
    ),
    "graph verify": VERDICT,
    "graph measure": {"anyOf": [_GRAPH, _NAMED]},
    "graph ask": _object(
        mechanism=TEXT,
        answer={"type": "object"},
        spent=FIGURES,
        remaining=FIGURES,
        archived=FLAG,
        notes=NOTES,
    ),
    "query ask": {
        "anyOf": [_ANSWER, _object(columns=_list(TEXT), error=FIGURES, cost=FIGURES, remaining=FIGURES)]
    },
    "query mechanism": _object(mechanism=TEXT, released=ANY, error=_maybe(NUMBER), interval=_maybe(NUMBER)),
    "query serve": _object(url=TEXT, datasets=_list(TEXT), token=_maybe(TEXT)),
    "query budget": _object(budgets=_list({"type": "object"})),
    "query analysts": {
        "anyOf": [_object(analysts=_list({"type": "object"})), _object(name=TEXT, role=TEXT, token=TEXT)]
    },
    "query log": _object(entries=_list({"type": "object"})),
    "query check": _object(holds=FLAG, entries=COUNT, chain=TEXT, complaints=_list(TEXT)),
}


def schema_of(command: Sequence[str]) -> dict[str, Json]:
    """The schema of one command; without one, those of all by name."""
    if not command:
        return {name: schema_of(name.split()) for name in SCHEMAS}
    name = " ".join(command)
    check_words("shoal schema", "it", SCHEMAS, [name])
    return {"$schema": DRAFT, "title": f"shoal {name} --json", **SCHEMAS[name]}
