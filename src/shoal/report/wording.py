"""Promises, attacks and figures in plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar, cast

from shoal import catalog
from shoal.core.attack_results import Trial, Tried
from shoal.core.errors import ShoalError
from shoal.core.outcome import Promise
from shoal.core.part_syntax import split
from shoal.core.rounded_figures import per_cent, round_figure

Item = TypeVar("Item")
_CLASS = re.compile(r"(?<![-\w'])class(es)?(?![-\w'])")  # not --class-column, nor a column of that name
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")


def visible(told: Item) -> Item:
    """A text, or a document of them, without signs that no page can carry: columns have any name."""
    made: Any = told
    if isinstance(made, str):
        made = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", made)
    elif isinstance(made, tuple):
        made = tuple(map(visible, made))
    elif is_dataclass(made) and not isinstance(made, type):
        made = replace(made, **{field.name: visible(getattr(made, field.name)) for field in fields(made)})
    return cast("Item", made)


def count(value: int, one: str, many: str) -> str:
    """`1 row`, `20,000 rows`."""
    return f"{value:,} {one if value == 1 else many}"


def listed(names: tuple[str, ...] | list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def batched(items: Sequence[Item], most: int) -> list[Sequence[Item]]:
    """The items in as few batches as possible, all of about the same length."""
    number = -(-len(items) // most)
    ends = [len(items) * place // number for place in range(number + 1)] if number else []
    return [items[begin:end] for begin, end in pairwise(ends)]


def sentence(text: str) -> str:
    """A text that begins with a capital and ends with a full stop."""
    text = text.strip()
    if re.match(r"[a-z]+[\s,;:.]", text):  # the name of a part keeps its small letter
        text = text[0].upper() + text[1:]
    return f"{text}{'' if text.endswith(('.', '?', '!')) else '.'}"


def plain(text: str) -> str:
    """What an attack or its cure says, in the report's word for rows that look alike."""
    return _CLASS.sub(lambda found: "groups" if found[1] else "group", text)


def attack_name(trial: Trial) -> str:
    """An attack as a reader calls it: `homogeneity of diagnosis`."""
    return _with_column(trial.name, trial.attack)


def rate_words(tried: Tried) -> str:
    """Whom an attack hits: `7.4 % (6.3 to 8.6 %), 148 of 2,000`."""
    low, high = tried.rate.interval
    hits = f"{round_figure(tried.rate.hits):,} of {tried.rate.targets:,}"
    if not tried.rate.hits:
        return f"nobody (up to {per_cent(high)}), {hits}"
    return f"{per_cent(tried.rate.value)} ({per_cent(low)} to {per_cent(high)}), {hits}"


def expected_words(tried: Tried) -> str:
    """What is expected of a safe release, and why so much."""
    if tried.sure:
        return "nobody"
    expected = tried.expected
    if not expected:
        return "nobody"
    if tried.allowed == expected:
        return f"up to {per_cent(expected)}: one row of those that look alike, picked at random"
    if tried.outside == expected:
        return f"up to {per_cent(expected)}: as of people who are not in it"
    return f"up to {per_cent(expected)}: a blind guess"


def promise_name(promise: Promise) -> str:
    """A promise as a reader calls it: `l-diversity of diagnosis`."""
    return _with_column(promise.name, promise.model)


def by_method(promise: Promise) -> bool:
    """Whether a promise is one of the method that made a release, which no file can prove."""
    try:
        return bool(catalog.find("model", promise.name).mechanisms)
    except ShoalError:
        return False


def promise_words(promise: Promise) -> str:
    """What a promise means, in one sentence."""
    own = {
        "no-identifiers": "A column that names people, and that must not be released, is in the file.",
        "known-values": "The file has a value that the original did not have: somebody changed it.",
    }
    if promise.name in own:
        return own[promise.name]
    try:
        words: str = catalog.make("model", promise.model or promise.name).in_words()
    except ShoalError:  # a model object of somebody's own
        return ""
    return words


def _with_column(name: str, spelling: str) -> str:
    try:
        _, given = split(spelling)
    except ShoalError:
        return name
    column = given.get("column", "").strip('"')
    return f"{name} of {column}" if column else name
