"""Many settings from few words: lists of numbers, and braces in spellings."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.core.part_syntax import spell, split
from shoal.jobs.tables.requests import CompareTable

MOST = 500  # releases that one comparison makes; more than anybody can read


@dataclass(frozen=True)
class Setting:
    """One way to make a release, and what tells it from the others."""

    k: int | None
    models: tuple[Any, ...]
    method: Any
    suppress: float
    label: str


def settings_in(job: CompareTable) -> list[Setting]:
    """Every combination that a request asks for."""
    if not job.model and not job.k:
        raise BadParameter('no promise asked for; give --k 2,5,10 or --model "l-diversity(l={2,3,5})"')
    for what, values in (("method", job.method), ("share for --suppress", job.suppress)):
        if not values:
            raise BadParameter(f"no {what} to try; give at least one")
    ks: list[tuple[int | None, str]] = [(k, f"k={k}") for k in job.k] or [(None, "")]
    models = [_expand_braces(model) for model in job.model]
    methods = [made for method in job.method for made in _expand_braces(method)]
    found = []
    for (method, _), (k, of_k), *chosen, share in product(methods, ks, *models, job.suppress):
        words = [of_k, *(word for _, word in chosen)]
        if len(job.suppress) > 1:
            if not _takes_share(method):
                if share != job.suppress[0]:
                    continue  # it would be the same release again
            elif share:
                words.append(f"suppress={share:g}")
        label = ", ".join(filter(None, words))
        spelled = tuple(model for model, _ in chosen)
        found.append(Setting(k, spelled, method, share, label or _plain(spelled)))
        if len(found) > MOST:
            raise BadParameter(f"that makes more than {MOST} settings to try; list fewer values")
    return found


def _takes_share(method: Any) -> bool:
    """Whether a method has a use for --suppress, and does not say itself how much."""
    if not isinstance(method, str):
        return False
    name, given = split(method)
    fields = {field.name for field in dataclasses.fields(catalog.find("method", name))}
    return "suppress" in fields and "suppress" not in given


def _plain(models: Sequence[Any]) -> str:
    return ", ".join(model if isinstance(model, str) else spell(model) for model in models)


def _expand_braces(part: Any) -> list[tuple[Any, str]]:
    """The spellings that a part with braces stands for, each with the words that tell it from the others."""
    if not isinstance(part, str):
        return [(part, "")]
    return [(text, ", ".join(words)) for text, words in _expand_text(part, part)]


def _expand_text(text: str, whole: str) -> Iterator[tuple[str, list[str]]]:
    start = _first(text, "{")
    closed = _first(text, "}")
    if closed is not None and (start is None or closed < start):
        raise BadParameter(f"a brace is closed and none open in '{whole}'; write l-diversity(l={{2,3}})")
    if start is None:
        yield text, []
        return
    head, (options, rest) = text[:start], _split_braces(text[start + 1 :], whole)
    word = head[max(head.rfind(sign) for sign in "(,") + 1 :].strip()
    for option in options:
        for inner, _ in _expand_text(option, whole):
            for ending, words in _expand_text(rest, whole):
                yield head + inner + ending, [f"{word}{inner}", *words]


def _first(text: str, sign: str) -> int | None:
    """Where a sign stands first outside of quotes."""
    quoted = False
    for place, letter in enumerate(text):
        quoted ^= letter == '"'
        if letter == sign and not quoted:
            return place
    return None


def _split_braces(text: str, whole: str) -> tuple[list[str], str]:
    """What the commas between braces part, and what follows; commas in quotes or deeper part nothing."""
    options, depth, quoted = [""], 0, False
    for place, letter in enumerate(text):
        quoted ^= letter == '"'
        if not quoted and letter == "}" and depth == 0:
            options = [option.strip() for option in options]
            if not all(options):
                raise BadParameter(
                    f"the braces in '{whole}' hold nothing to try; write l-diversity(l={{2,3}})"
                )
            return options, text[place + 1 :]
        if not quoted:
            depth += (letter in "({") - (letter in ")}")
        if letter == "," and not quoted and depth == 0:
            options.append("")
        else:
            options[-1] += letter
    raise BadParameter(f"a brace is open and none closed in '{whole}'; write l-diversity(l={{2,3}})")
