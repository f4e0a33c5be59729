"""`shoal query learn` and `stream`: algorithms over rows, and over elements that keep coming."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from shoal.faces.cli.flags import AsJson, Typed, with_flags
from shoal.jobs.queries.requests import LearnQuery


@with_flags(LearnQuery)
def learn(typed: Typed, as_json: AsJson = False) -> None:
    """Learn clusters or a classifier from private rows; columns are those that have --bounds."""
    from shoal.faces.cli.show import show
    from shoal.jobs.queries.learn import learn_query

    lesson = learn_query(typed.job())
    show(lesson, as_json, lesson.notes)


def stream(
    spelling: Annotated[
        str, typer.Argument(metavar="MECHANISM", help='As in "continual-count(epsilon=1,horizon=1000)".')
    ],
    as_json: AsJson = False,
) -> None:
    """Follow a stream on standard input, one whole number per line, and tell what may be told of it."""
    from shoal.faces.cli.show import say, show_document
    from shoal.jobs.queries.stream import stream_query

    told: list[Any] = []
    lines = (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
    answers = stream_query(spelling, lines)
    say("shoal: no ledger notes this stream; another one about the same people adds to its cost")
    try:
        for answer in answers:
            told.append(answer)
            if not as_json:
                print(f"{answer:.10g}", flush=True)
    finally:  # what was told before a stream went wrong is not lost
        if as_json:
            show_document({"mechanism": spelling, "answers": told})
