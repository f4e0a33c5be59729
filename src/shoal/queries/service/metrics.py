"""Figures about the service in the text format of Prometheus: requests, budgets, work under way.

Nothing here depends on rows: no times of questions, no sizes of tables, not how many questions failed after
their cost was noted (the audit log has those). Names of people are not in it either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from shoal.queries.budget_balance import budget_state
from shoal.queries.service.lanes import Lanes
from shoal.queries.service.service import Service
from shoal.version import __version__

Sample = tuple[Mapping[str, str], float]


def metrics_text(service: Service, state: Any) -> str:
    """All figures; `state` holds what the application counts."""
    counted: Counter[tuple[str, int]] = state.counted
    lanes: Lanes = state.lanes
    budgets = [budget_state(service.ledger, name) for name in service.names()]
    requests = sorted(counted.copy().items())
    blocks = [
        _block("shoal_info", "gauge", "The version that answers.", [({"version": __version__}, 1)]),
        _block(
            "shoal_requests_total",
            "counter",
            "Requests since the start, by what was asked for and the status of the reply.",
            [({"action": action, "status": str(status)}, number) for (action, status), number in requests],
        ),
        _block("shoal_datasets", "gauge", "Data sets that can be asked about.", [({}, len(budgets))]),
        _block(
            "shoal_budget_epsilon_limit",
            "gauge",
            "What all analysts of a data set may spend together.",
            [({"dataset": one.dataset}, one.limit["epsilon"]) for one in budgets],
        ),
        _block(
            "shoal_budget_epsilon_spent",
            "gauge",
            "What all analysts of a data set have spent together.",
            [({"dataset": one.dataset}, one.spent["epsilon"]) for one in budgets],
        ),
        _block(
            "shoal_work",
            "gauge",
            "Places that are taken until a reply leaves, and requests that wait for one, by kind of work.",
            [
                ({"lane": name, "state": word}, number)
                for name, gate in lanes.named.items()
                for word, number in (("taken", gate.taken), ("waiting", gate.waiting))
            ],
        ),
    ]
    return "".join(blocks)


def _block(name: str, kind: str, words: str, samples: Iterable[Sample]) -> str:
    lines = [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]
    lines += [f"{name}{_labels(labels)} {_number(value)}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _labels(labels: Mapping[str, str]) -> str:
    if not labels:
        return ""
    return "{" + ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items()) + "}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))
