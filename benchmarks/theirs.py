"""Runs inside the peers' own environment: ANJANA's releases and pyCANON's checks, timed, results as files.

`python theirs.py JOB.json` prints one JSON list with CPU seconds per task. It imports nothing of Shoal.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def main(job: Mapping[str, Any]) -> list[float]:
    """Do every task of the job, in order."""
    pandas = importlib.import_module("pandas")
    numpy = importlib.import_module("numpy")
    anjana = importlib.import_module("anjana.anonymity")
    pycanon = importlib.import_module("pycanon.anonymity")
    frame = pandas.read_csv(job["table"], dtype=str, keep_default_na=False)
    hierarchies = {
        column: {level: numpy.array(labels) for level, labels in enumerate(levels)}
        for column, levels in job["hierarchies"].items()
    }
    return [
        _release(anjana, frame, hierarchies, task, job["rounds"])
        if task["do"] == "release"
        else _check(pandas, pycanon, task, job["rounds"])
        for task in job["tasks"]
    ]


def _release(
    anjana: Any, frame: Any, hierarchies: Mapping[str, Any], task: Mapping[str, Any], rounds: int
) -> float:
    quasi, sensitive, more = task["quasi"], task["sensitive"], task["more"]
    name = {"l_div": "l_diversity", "t": "t_closeness"}.get(next(iter(more), ""), "k_anonymity")
    chosen = {column: hierarchies[column] for column in quasi}
    known = {"sens_att": sensitive, **more} if more else {}

    def work() -> Any:
        return getattr(anjana, name)(
            data=frame.copy(),
            ident=[],
            quasi_ident=list(quasi),
            k=task["k"],
            supp_level=100 * task["suppress"],
            hierarchies=chosen,
            **known,
        )

    released, seconds = _best(work, rounds)
    if len(released):
        released[[*quasi, sensitive]].to_csv(task["output"], index=False)
    return seconds


def _check(pandas: Any, pycanon: Any, task: Mapping[str, Any], rounds: int) -> float:
    frame = pandas.read_csv(task["table"], dtype=str, keep_default_na=False)
    quasi, sensitive = task["quasi"], [task["sensitive"]]

    def work() -> Any:
        return (
            pycanon.k_anonymity(frame, quasi),
            pycanon.l_diversity(frame, quasi, sensitive),
            pycanon.t_closeness(frame, quasi, sensitive),
        )

    return _best(work, rounds)[1]


def _best(work: Callable[[], Any], rounds: int) -> tuple[Any, float]:
    spent = []
    for _ in range(1 + rounds):
        started = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):  # ANJANA prints its findings
            result = work()
        spent.append(time.process_time() - started)
    return result, min(spent[1:])


if __name__ == "__main__":
    print(json.dumps(main(json.loads(Path(sys.argv[1]).read_text("utf-8")))))
