"""JSON Schemas of what every command prints with `--json`: the names that scripts may rely on.

A document may have more names than its schema, and may get more later; none of those here goes away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.core.outcome import Json
from shoal.jobs.request import check_words

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


def _all(schema: Schema, names: str) -> dict[str, Schema]:
    """The same for several names."""
    return dict.fromkeys(names.split(), schema)


NOTES = _list(TEXT)
PROMISES = _list(_object(name=TEXT, level=_maybe(NUMBER), holds=_maybe(FLAG), model=TEXT))
LOSSES = _by_name(_maybe(NUMBER))
FIGURES = _by_name(_maybe(NUMBER))
SPREAD = _object(lowest=NUMBER, average=NUMBER, highest=NUMBER)
RISK = _object({"journalist": SPREAD}, prosecutor=SPREAD, marketer=_object(average=NUMBER))
ESTIMATE: Schema = {"anyOf": [_maybe(NUMBER), _object(value=_maybe(NUMBER), low=NUMBER, high=NUMBER)]}
VERDICT = _object(holds=FLAG, models=PROMISES, notes=NOTES)
FINDING = _object(
    {"wrong": SHARE},
    **_all(TEXT, "attack cure"),
    **_all(COUNT, "targets hits"),
    rate=SHARE,
    interval=_list(SHARE, minItems=2, maxItems=2),
    baseline=NUMBER,
    findings=_list({"type": "object"}),
    details={"type": "object"},
    cured=_maybe(_object(how=TEXT, targets=COUNT, hits=COUNT, rate=SHARE, lost=NUMBER)),
)
APPRAISAL = _object(
    {"losses": LOSSES},
    **_all(COUNT, "rows classes smallest_class"),
    distinction=_by_name(NUMBER),
    separation=_by_name(NUMBER),
    risk=RISK,
)
_PART = _object({"stops": _list(TEXT)}, name=TEXT, of=TEXT, parameters=TEXT, promise=TEXT, paper=TEXT)
_PARAMETER = _object(name=TEXT, needed=FLAG, default=ANY)
_ENTRY = _object(
    **_all(TEXT, "kind name of promise explained paper page"),
    parameters=_list(_PARAMETER),
    stops=_list(TEXT),
)
_KINDS = ("models", "methods", "steps", "attacks", "measures", "mechanisms", "alternatives")
_POINT = _object(
    **_all(TEXT, "setting method"),
    models=PROMISES,
    **_all(NUMBER, "suppress seconds"),
    **_all(FLAG, "reached front"),
    reason=_maybe(TEXT),
    **_all(_maybe(COUNT), "released suppressed"),
    risk=_maybe({"type": "object"}),
    losses=_maybe(LOSSES),
    figures=_object(risk=_maybe(NUMBER), utility=_maybe(NUMBER)),
)
_AXIS = _object(name=TEXT, title=TEXT, better=TEXT)
_INTERVAL = _maybe(_list(_maybe(NUMBER), minItems=2, maxItems=2))
_ANSWER = _object(
    columns=_list(TEXT),
    rows=_list(_list(ANY)),
    **_all(FIGURES, "error spent remaining"),
    interval=_list(_list(_INTERVAL)),
    notes=NOTES,
    archived=FLAG,
    query=TEXT,
    id=_maybe(WHOLE),
)

_NAMED = _object(figures={"type": "object"}, notes=NOTES)  # measures that were named with --only
_GRAPH = _object(
    **_all(COUNT, "nodes edges"),
    **_all(ESTIMATE, "density average_path_length average_path_length_reachable diameter power_law_exponent"),
    clustering=_by_name(ESTIMATE),
    anonymity=_object(degree=ANY),
    notes=NOTES,
)

_MATRIX = _object(
    **_all(COUNT, "nodes edges"),
    attacks=_list(_object(attack=TEXT, about=TEXT, counts=TEXT)),
    protections=_list(
        _object(
            protection=TEXT,
            method=TEXT,
            models=_list(TEXT),
            **_all(_maybe(COUNT), "added removed"),
            reason=_maybe(TEXT),
        )
    ),
    cells=_list(
        _object(
            **_all(TEXT, "attack protection"),
            state={"enum": ["tried", "does not apply", "out of time", "failed"]},
            **_all(_maybe(COUNT), "targets hits"),
            **_all(_maybe(SHARE), "rate wrong"),
            interval=_maybe(_list(SHARE, minItems=2, maxItems=2)),
            baseline=_maybe(NUMBER),
            reason=_maybe(TEXT),
        )
    ),
    overlap=SHARE,
    seed=_maybe(WHOLE),
    notes=NOTES,
)

_REPORTED: dict[str, Schema] = {
    **_all(TEXT, "title release"),
    "holds": FLAG,
    "models": PROMISES,
    "attacks": _list({"type": "object"}),
    "notes": NOTES,
}
_REPORT = _object(
    **_REPORTED,
    **_all(COUNT, "rows released"),
    suppressed=_maybe(COUNT),
    columns=_list({"type": "object"}),
    risk=APPRAISAL,
    losses=LOSSES,
)
_NETWORK_REPORT = _object(
    **_REPORTED,
    **_all(COUNT, "nodes edges"),
    paired=FLAG,
    structure={"type": "object"},
    choices=_list({"type": "object"}),
)

SCHEMAS: Mapping[str, Schema] = {
    "catalog": {
        "anyOf": [_object(**{kind: _list(_PART) for kind in _KINDS}), _object(entries=_list(_ENTRY))]
    },
    "demo": _object(
        **_all(COUNT, "rows released suppressed"),
        **_all({"type": "object"}, "before after"),
        verified=FLAG,
        models=PROMISES,
        folder=TEXT,
        files=_list(TEXT),
    ),
    "report": {"anyOf": [_REPORT, _NETWORK_REPORT]},
    "table inspect": _object(
        columns=_by_name(
            _object(
                role={"enum": ["identifier", "quasi", "sensitive", "insensitive"]},
                reason=TEXT,
                **_all(SHARE, "distinction separation"),
                pattern=_maybe(TEXT),
            )
        ),
        combinations=_list(_object(columns=TEXT, distinction=SHARE, separation=SHARE)),
    ),
    "table protect": _object(
        **_all(COUNT, "rows released suppressed classes"),
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
        **_all(COUNT, "nodes edges_after"),
        **_all(_maybe(COUNT), "edges_before added removed"),
        models=PROMISES,
        method=TEXT,
        left_out=_list(TEXT),
        seconds=NUMBER,
        notes=NOTES,
    ),
    "graph verify": VERDICT,
    "graph measure": {"anyOf": [_GRAPH, _NAMED]},
    "graph attack": FINDING,
    "graph attack matrix": _MATRIX,
    "graph ask": _object(
        mechanism=TEXT,
        answer={"type": "object"},
        **_all(FIGURES, "spent remaining"),
        archived=FLAG,
        notes=NOTES,
    ),
    "query ask": {
        "anyOf": [_ANSWER, _object(columns=_list(TEXT), error=FIGURES, cost=FIGURES, remaining=FIGURES)]
    },
    "query attack": FINDING,
    "query compare": _object(
        epsilon=NUMBER,
        **_all(COUNT, "people questions"),
        alternatives=_list(
            _object(
                **_all(TEXT, "alternative attack weakness"),
                **_all(_maybe(NUMBER), "epsilon error"),
                refused=COUNT,
                **_all(SHARE, "rate baseline"),
                interval=_list(SHARE, minItems=2, maxItems=2),
            )
        ),
        notes=NOTES,
    ),
    "query epsilon": _object(
        about=TEXT,
        column=_maybe(TEXT),
        wanted=_maybe(FIGURES),
        **_all(NUMBER, "epsilon error"),
        **_all(_maybe(NUMBER), "within sensitivity"),
        odds=_object(**_all(SHARE, "before most least unlikely"), factor=_maybe(NUMBER), in_words=TEXT),
        accounting=TEXT,
        curve=_list(_object(**_all(NUMBER, "epsilon error belief"), within=_maybe(NUMBER))),
        notes=NOTES,
    ),
    "query report": _object(
        **_all(TEXT, "title made"),
        holds=FLAG,
        ledger={"type": "object"},
        **_all(_list({"type": "object"}), "budgets questions audits attacks"),
        left_out=COUNT,
        declared={"type": "object"},
    ),
    "query mechanism": _object(mechanism=TEXT, released=ANY, error=_maybe(NUMBER), interval=_maybe(NUMBER)),
    "query learn": _object(
        mechanism=TEXT,
        columns=_list(TEXT),
        learned={"type": "object"},
        **_all(FIGURES, "spent remaining"),
        notes=NOTES,
    ),
    "query stream": _object(mechanism=TEXT, answers=_list(NUMBER)),
    "query audit": _object(
        audited=TEXT,
        **_all(NUMBER, "claimed delta lower_bound confidence"),
        samples=COUNT,
        passed=FLAG,
        neighbours=TEXT,
        reach=_list({"type": "object"}),
    ),
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
