"""JSON Schemas of what every command prints with `--json`: the names that scripts may rely on.

A document may have more names than its schema, and may get more later; none of those here goes away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shoal.core.outcome import Json
from shoal.jobs.owner_schemas import OWNER
from shoal.jobs.request import check_words
from shoal.jobs.schema_types import (
    ANY,
    COUNT,
    FLAG,
    NUMBER,
    SHARE,
    TEXT,
    WHOLE,
    Schema,
    all_of,
    by_name,
    list_of,
    maybe,
    object_of,
)

DRAFT = "https://json-schema.org/draft/2020-12/schema"

NOTES = list_of(TEXT)
PROMISES = list_of(object_of(name=TEXT, level=maybe(NUMBER), holds=maybe(FLAG), model=TEXT))
LOSSES = by_name(maybe(NUMBER))
FIGURES = by_name(maybe(NUMBER))
SPREAD = object_of(lowest=NUMBER, average=NUMBER, highest=NUMBER)
RISK = object_of({"journalist": SPREAD}, prosecutor=SPREAD, marketer=object_of(average=NUMBER))
ESTIMATE: Schema = {"anyOf": [maybe(NUMBER), object_of(value=maybe(NUMBER), low=NUMBER, high=NUMBER)]}
VERDICT = object_of(holds=FLAG, models=PROMISES, notes=NOTES)
FINDING = object_of(
    {"wrong": SHARE},
    **all_of(TEXT, "attack cure"),
    **all_of(COUNT, "targets hits"),
    rate=SHARE,
    interval=list_of(SHARE, minItems=2, maxItems=2),
    baseline=NUMBER,
    findings=list_of({"type": "object"}),
    details={"type": "object"},
    cured=maybe(object_of(how=TEXT, targets=COUNT, hits=COUNT, rate=SHARE, lost=NUMBER)),
)
APPRAISAL = object_of(
    {"losses": LOSSES},
    **all_of(COUNT, "rows classes smallest_class"),
    distinction=by_name(NUMBER),
    separation=by_name(NUMBER),
    risk=RISK,
)
_PART = object_of({"stops": list_of(TEXT)}, name=TEXT, of=TEXT, parameters=TEXT, promise=TEXT, paper=TEXT)
_PARAMETER = object_of(name=TEXT, needed=FLAG, default=ANY)
_ENTRY = object_of(
    **all_of(TEXT, "kind name of promise explained paper page"),
    parameters=list_of(_PARAMETER),
    stops=list_of(TEXT),
)
_KINDS = ("models", "methods", "steps", "attacks", "measures", "mechanisms", "alternatives")
_POINT = object_of(
    **all_of(TEXT, "setting method"),
    models=PROMISES,
    **all_of(NUMBER, "suppress seconds"),
    **all_of(FLAG, "reached front"),
    reason=maybe(TEXT),
    **all_of(maybe(COUNT), "released suppressed"),
    risk=maybe({"type": "object"}),
    losses=maybe(LOSSES),
    figures=object_of(risk=maybe(NUMBER), utility=maybe(NUMBER)),
)
_AXIS = object_of(name=TEXT, title=TEXT, better=TEXT)
_INTERVAL = maybe(list_of(maybe(NUMBER), minItems=2, maxItems=2))
_ANSWER = object_of(
    columns=list_of(TEXT),
    rows=list_of(list_of(ANY)),
    **all_of(FIGURES, "error spent remaining"),
    interval=list_of(list_of(_INTERVAL)),
    notes=NOTES,
    archived=FLAG,
    query=TEXT,
    id=maybe(WHOLE),
)

_NAMED = object_of(figures={"type": "object"}, notes=NOTES)  # measures that were named with --only
_GRAPH = object_of(
    **all_of(COUNT, "nodes edges"),
    **all_of(
        ESTIMATE, "density average_path_length average_path_length_reachable diameter power_law_exponent"
    ),
    clustering=by_name(ESTIMATE),
    anonymity=object_of(degree=ANY),
    notes=NOTES,
)

_MATRIX = object_of(
    **all_of(COUNT, "nodes edges"),
    attacks=list_of(object_of(attack=TEXT, about=TEXT, counts=TEXT)),
    protections=list_of(
        object_of(
            protection=TEXT,
            method=TEXT,
            models=list_of(TEXT),
            **all_of(maybe(COUNT), "added removed"),
            reason=maybe(TEXT),
        )
    ),
    cells=list_of(
        object_of(
            **all_of(TEXT, "attack protection"),
            state={"enum": ["tried", "does not apply", "out of time", "failed"]},
            **all_of(maybe(COUNT), "targets hits"),
            **all_of(maybe(SHARE), "rate wrong"),
            interval=maybe(list_of(SHARE, minItems=2, maxItems=2)),
            baseline=maybe(NUMBER),
            reason=maybe(TEXT),
        )
    ),
    overlap=SHARE,
    seed=maybe(WHOLE),
    notes=NOTES,
)

_REPORTED: dict[str, Schema] = {
    **all_of(TEXT, "title release"),
    "holds": FLAG,
    "models": PROMISES,
    "attacks": list_of({"type": "object"}),
    "notes": NOTES,
}
_REPORT = object_of(
    **_REPORTED,
    **all_of(COUNT, "rows released"),
    suppressed=maybe(COUNT),
    columns=list_of({"type": "object"}),
    risk=APPRAISAL,
    losses=LOSSES,
)
_NETWORK_REPORT = object_of(
    **_REPORTED,
    **all_of(COUNT, "nodes edges"),
    paired=FLAG,
    structure={"type": "object"},
    choices=list_of({"type": "object"}),
)

SCHEMAS: Mapping[str, Schema] = {
    "catalog": {
        "anyOf": [object_of(**{kind: list_of(_PART) for kind in _KINDS}), object_of(entries=list_of(_ENTRY))]
    },
    "demo": object_of(
        **all_of(COUNT, "rows released suppressed"),
        **all_of({"type": "object"}, "before after"),
        verified=FLAG,
        models=PROMISES,
        folder=TEXT,
        files=list_of(TEXT),
    ),
    "report": {"anyOf": [_REPORT, _NETWORK_REPORT]},
    "table inspect": object_of(
        columns=by_name(
            object_of(
                role={"enum": ["identifier", "quasi", "sensitive", "insensitive"]},
                reason=TEXT,
                **all_of(SHARE, "distinction separation"),
                pattern=maybe(TEXT),
            )
        ),
        combinations=list_of(object_of(columns=TEXT, distinction=SHARE, separation=SHARE)),
    ),
    "table protect": object_of(
        **all_of(COUNT, "rows released suppressed classes"),
        method=TEXT,
        optimal=maybe(FLAG),
        levels=maybe(by_name(COUNT)),
        models=PROMISES,
        losses=LOSSES,
        seconds=NUMBER,
        notes=NOTES,
    ),
    "table compare": object_of(
        rows=COUNT, risk=_AXIS, utility=_AXIS, points=list_of(_POINT), front=list_of(TEXT), notes=NOTES
    ),
    "table verify": VERDICT,
    "table measure": {"anyOf": [APPRAISAL, _NAMED]},
    "table attack": FINDING,
    **OWNER,
    "table hierarchy": object_of(
        reason=TEXT, height=COUNT, leaves=COUNT, ladder=list_of(list_of(maybe(TEXT), minItems=2))
    ),
    "graph protect": object_of(
        **all_of(COUNT, "nodes edges_after"),
        **all_of(maybe(COUNT), "edges_before added removed"),
        models=PROMISES,
        method=TEXT,
        left_out=list_of(TEXT),
        seconds=NUMBER,
        notes=NOTES,
    ),
    "graph verify": VERDICT,
    "graph measure": {"anyOf": [_GRAPH, _NAMED]},
    "graph attack": FINDING,
    "graph attack matrix": _MATRIX,
    "graph ask": object_of(
        mechanism=TEXT,
        answer={"type": "object"},
        **all_of(FIGURES, "spent remaining"),
        archived=FLAG,
        notes=NOTES,
    ),
    "query ask": {
        "anyOf": [_ANSWER, object_of(columns=list_of(TEXT), error=FIGURES, cost=FIGURES, remaining=FIGURES)]
    },
    "query attack": FINDING,
    "query compare": object_of(
        epsilon=NUMBER,
        **all_of(COUNT, "people questions"),
        alternatives=list_of(
            object_of(
                **all_of(TEXT, "alternative attack weakness"),
                **all_of(maybe(NUMBER), "epsilon error"),
                refused=COUNT,
                **all_of(SHARE, "rate baseline"),
                interval=list_of(SHARE, minItems=2, maxItems=2),
            )
        ),
        notes=NOTES,
    ),
    "query epsilon": object_of(
        about=TEXT,
        column=maybe(TEXT),
        wanted=maybe(FIGURES),
        **all_of(NUMBER, "epsilon error"),
        **all_of(maybe(NUMBER), "within sensitivity"),
        odds=object_of(**all_of(SHARE, "before most least unlikely"), factor=maybe(NUMBER), in_words=TEXT),
        accounting=TEXT,
        curve=list_of(object_of(**all_of(NUMBER, "epsilon error belief"), within=maybe(NUMBER))),
        notes=NOTES,
    ),
    "query report": object_of(
        **all_of(TEXT, "title made"),
        holds=FLAG,
        ledger={"type": "object"},
        **all_of(list_of({"type": "object"}), "budgets questions audits attacks"),
        left_out=COUNT,
        declared={"type": "object"},
    ),
    "query mechanism": object_of(mechanism=TEXT, released=ANY, error=maybe(NUMBER), interval=maybe(NUMBER)),
    "query learn": object_of(
        mechanism=TEXT,
        columns=list_of(TEXT),
        learned={"type": "object"},
        **all_of(FIGURES, "spent remaining"),
        notes=NOTES,
    ),
    "query stream": object_of(mechanism=TEXT, answers=list_of(NUMBER)),
    "query audit": object_of(
        audited=TEXT,
        **all_of(NUMBER, "claimed delta lower_bound confidence"),
        samples=COUNT,
        passed=FLAG,
        neighbours=TEXT,
        reach=list_of({"type": "object"}),
    ),
    "query serve": object_of(url=TEXT, datasets=list_of(TEXT), token=maybe(TEXT)),
    "query budget": object_of(budgets=list_of({"type": "object"})),
    "query analysts": {
        "anyOf": [
            object_of(analysts=list_of({"type": "object"})),
            object_of(name=TEXT, role=TEXT, token=TEXT),
        ]
    },
    "query log": object_of(entries=list_of({"type": "object"})),
    "query check": object_of(holds=FLAG, entries=COUNT, chain=TEXT, complaints=list_of(TEXT)),
}


def schema_of(command: Sequence[str]) -> dict[str, Json]:
    """The schema of one command; without one, those of all by name."""
    if not command:
        return {name: schema_of(name.split()) for name in SCHEMAS}
    name = " ".join(command)
    check_words("shoal schema", "it", SCHEMAS, [name])
    return {"$schema": DRAFT, "title": f"shoal {name} --json", **SCHEMAS[name]}
