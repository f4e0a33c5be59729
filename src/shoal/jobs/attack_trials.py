"""Attacks tried one after another, the quick ones first, on a release and then on what it was made from."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from shoal import catalog
from shoal.core.attack_results import Trial, Tried
from shoal.core.contract import Attack
from shoal.core.deadline import OutOfTime, until
from shoal.core.part_syntax import spell, split
from shoal.core.progress import Follow

UNASKED = "only others were asked for with --attack"
_QUOTED = re.compile(r"'([^']*)'")
_REPR = re.compile(r"\"[^\"]*'[^\"]*\"")  # how Python quotes a text with an apostrophe in it
Waiting = tuple[Any, str]  # an attack, and what it does in one sentence


class TimeLimit:
    """So many seconds from now on, for all parts together; None is no end."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds, self.end = seconds, None if seconds is None else time.monotonic() + seconds

    @property
    def over(self) -> bool:
        return self.end is not None and time.monotonic() >= self.end

    @property
    def words(self) -> str:
        """Why a part was not begun."""
        return f"the time limit of {self.seconds:g} s was over; give --time-limit more"

    def given_up(self, error: OutOfTime) -> str:
        """Why a part that was at work has no result."""
        return f"it was {error} of {self.seconds:g} s; give --time-limit more"


def run_trials(
    found: Sequence[Trial | Waiting],
    on_release: Callable[[Attack[Any], str], Trial],
    on_original: Callable[[Attack[Any]], Tried | None] | None,
    follow: Follow | None = None,
    limit: float | None = None,
) -> tuple[Trial, ...]:
    """A trial for every attack that waits; those that have one already, and why, stay as they are.

    After `limit` seconds no further attack begins, and one at work is given up; the quick ones come first,
    and all of them on the release before any on the original.
    """
    clock = TimeLimit(limit)
    done: dict[int, Trial] = {}
    for place, one in _quick_first(found):
        spelled = spell(one[0])
        if clock.over:
            done[place] = Trial(one[0].name, spelled, one[1], reason=clock.words)
            continue
        if follow is not None:
            follow(place, len(found), f"attack {spelled}")
        try:
            with until(clock.end):
                done[place] = on_release(*one)
        except OutOfTime as error:
            done[place] = Trial(one[0].name, spelled, one[1], reason=clock.given_up(error))
    for place, one in _quick_first(found) if on_original is not None else ():
        if on_original is not None and (done[place].after is not None or done[place].void) and not clock.over:
            if follow is not None:
                follow(place, len(found), f"attack {spell(one[0])} on the original")
            with until(clock.end), suppress(OutOfTime):
                done[place] = replace(done[place], before=on_original(one[0]))
    return tuple(one if isinstance(one, Trial) else done[place] for place, one in enumerate(found))


def trials_not_asked_for(asked: Sequence[str], noun: str) -> tuple[Trial, ...]:
    """The attacks of the catalog that nobody asked for, where somebody asked for some."""
    named = {split(text)[0] for text in asked}
    others = {"table", "graph", "query"} - {noun}
    return tuple(
        Trial(part.name, part.name, part.promise, reason=UNASKED, unasked=True)
        for part in (catalog.parts("attack") if named else ())
        if part.name not in named and part.noun not in others
    )


def _quick_first(found: Sequence[Trial | Waiting]) -> list[tuple[int, Waiting]]:
    """What is to be tried, with its place; what is slow on large data comes last."""
    some = [(place, one) for place, one in enumerate(found) if not isinstance(one, Trial)]
    return sorted(some, key=lambda pair: pair[1][0].slow)


def hide_quoted_values(sentence: str, known: Collection[str]) -> str:
    """A refusal without the values that it quotes, which may be somebody's; names of columns stay."""
    sentence = _REPR.sub("‘…’", sentence)
    return _QUOTED.sub(lambda found: found[0] if found[1] in known else "‘…’", sentence)
