"""Promises, attacks and figures in plain words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from shoal import catalog
from shoal.core.errors import ShoalError
from shoal.core.outcome import Promise
from shoal.core.rounding import rounded
from shoal.core.spelling import split
from shoal.jobs.achieved import Trial, Tried

Item = TypeVar("Item")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
THIN = "\u202f"  # a narrow space that does not break


def visible(text: str) -> str:
    """A text without signs that no page can carry; a column may be called anything."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def share(value: float) -> str:
    """A share in per cent; something is never rounded to nothing, nor nearly all to all."""
    if 0 < value < 0.0005:
        return f"<{THIN}0.1{THIN}%"
    if 0.9995 < value < 1:
        return f">{THIN}99.9{THIN}%"
    digits = 0 if value in (0, 1) else 1
    return f"{100 * value:.{digits}f}{THIN}%"


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


def attack_name(trial: Trial) -> str:
    """An attack as a reader calls it: `homogeneity of diagnosis`."""
    return _with_column(trial.name, trial.attack)


def rate_words(tried: Tried) -> str:
    """Whom an attack hits: `7.4 % (6.3 to 8.6 %), 148 of 2,000`."""
    low, high = tried.rate.interval
    hits = f"{rounded(tried.rate.hits):,} of {tried.rate.targets:,}"
    if not tried.rate.hits:
        return f"nobody (up to {share(high)}), {hits}"
    return f"{share(tried.rate.value)} ({share(low)} to {share(high)}), {hits}"


def expected_words(tried: Tried) -> str:
    """What is expected of a safe release, and why so much."""
    if tried.sure:
        return "nobody"
    expected = tried.expected
    if not expected:
        return "nobody"
    if tried.allowed == expected:
        return f"up to {share(expected)}: one row of those that look alike, picked at random"
    if tried.outside == expected:
        return f"up to {share(expected)}: as of people who are not in it"
    return f"up to {share(expected)}: a blind guess"


def promise_name(promise: Promise) -> str:
    """A promise as a reader calls it: `l-diversity of diagnosis`."""
    return _with_column(promise.name, promise.model)


def by_method(promise: Promise) -> bool:
    """Whether a promise is one of the method that made a release, which no file can prove."""
    try:
        return hasattr(catalog.find("model", promise.name), "mechanisms")
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
        model = catalog.make("model", promise.model or promise.name)
    except ShoalError:  # a model object of somebody's own
        return ""
    tell = _MODELS.get(promise.name)
    if tell is not None:
        return tell(model)
    told = catalog.Part("model", promise.name, type(model)).promise
    return re.sub(r"\bclasses\b", "groups", re.sub(r"\bclass\b", "group", told)).replace("`", "")


def _with_column(name: str, spelling: str) -> str:
    try:
        _, given = split(spelling)
    except ShoalError:
        return name
    column = given.get("column", "").strip('"')
    return f"{name} of {column}" if column else name


def _about(model: Any) -> str:
    return model.column or "each sensitive column"


def _l_diversity(model: Any) -> str:
    about, many = _about(model), f"{model.l:g}"
    return {
        "distinct": f"Every group has at least {many} different values of {about}, so that finding "
        "somebody's group does not give theirs away.",
        "probabilistic": f"In no group does one value of {about} fit more than 1 row in {many}.",
        "entropy": f"In every group the values of {about} are mixed at least as well as {many} equally "
        "frequent ones.",
        "recursive": f"In no group does one value of {about} outweigh the rare ones: it stays below "
        f"{model.c or 0:g} times the rows of those from the {many}th on.",
    }[str(model.kind)]


_MODELS: dict[str, Callable[[Any], str]] = {
    "k-anonymity": lambda m: (
        f"In the columns that others may know, each row looks like at least {m.k - 1:,} other"
        f"{'' if m.k == 2 else 's'}."
    ),
    "l-diversity": _l_diversity,
    "t-closeness": lambda m: (
        f"In every group the values of {_about(m)} are spread much as in the whole table (at most {m.t:g} "
        "apart on a scale from 0 to 1), so that a group tells little."
    ),
    "alpha-k-anonymity": lambda m: (
        f"Every group has at least {m.k:,} rows, and no guarded value of {_about(m)} fits more than "
        f"{share(m.alpha)} of them."
    ),
    "beta-likeness": lambda m: (
        f"No value of {_about(m)} is more than {1 + m.beta:g} times as frequent in a group as in the whole "
        "table."
    ),
    "confidence-bounding": lambda m: (
        f"From a group nobody can infer a guarded value of {_about(m)} and be right more often than "
        f"{share(m.h)} of the time."
    ),
    "delta-presence": lambda m: (
        f"Of the people who fit a group, between {share(m.low)} and {share(m.high)} are in the file: that "
        "somebody is in it cannot be told with more certainty than that."
    ),
    "differential-privacy": lambda m: (
        "Chance was mixed in: with or without any one row, every possible release is about as likely, by a "
        f"factor of at most {math.exp(m.epsilon):.3g} (ε = {m.epsilon:g})."
    ),
    "multir-k-anonymity": lambda m: f"Every group has rows of at least {m.k:,} different people.",
    "lkc": lambda m: (
        f"Who knows at most {m.L:,} details of somebody finds at least {m.K:,} rows that fit, and infers no "
        f"guarded value with more than {share(m.C)} certainty."
    ),
}

# What each loss says, and which way is good.
LOSSES = {
    "loss": ("detail lost", "0 is untouched, 1 is everything gone; suppressed rows count as gone"),
    "precision": ("precision left", "how far down its ladder a column stayed; 1 is untouched"),
    "entropy": ("information lost", "the same in bits, where rare values weigh more; 0 is untouched"),
    "average_class_size": (
        "average group size",
        "in multiples of the size promised; 1 is as fine as it gets",
    ),
    "discernibility": (
        "discernibility",
        "how many rows each row cannot be told from, summed; fewer is finer",
    ),
}

# What each way to make a release does, for readers who never heard its name.
METHODS = {
    "auto": "several methods tried, and the one with the least loss taken",
    "optimal": "every column on one level of detail, the least loss possible",
    "heuristic": "every column on one level of detail, a good choice but not proved best",
    "mondrian": "the rows cut into ever smaller groups, each with labels of its own",
    "top-down": "every column made finer step by step, as far as the promises allow",
    "local-recoding": "rows that would be left out are coarsened further instead",
    "cell-suppression": "single cells replaced by *",
    "noisy-counts": "a new table drawn from counts with noise",
    "retention": "values kept with some probability, else replaced by chance",
    "sampled-generalisation": "a random sample on fixed levels of detail, small groups left out",
}
