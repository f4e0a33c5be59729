"""A hierarchy as users name it, for a column: an object, a tree, a file, words like `interval(width=5)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from shoal.core.errors import BadHierarchy, BadParameter
from shoal.tables.hierarchies.binary_splits import grown
from shoal.tables.hierarchies.dates import of_dates
from shoal.tables.hierarchies.flat import flat
from shoal.tables.hierarchies.hierarchy import TOP, Hierarchy, Label
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy, read_parents
from shoal.tables.hierarchies.intervals import of_cuts, of_width
from shoal.tables.hierarchies.masks import masked
from shoal.tables.hierarchies.suggest import suggest
from shoal.tables.hierarchies.taxonomy import from_nested
from shoal.tables.model_inputs.text_values import texts

Spec = Hierarchy | Mapping[str, object] | Sequence[object] | str | Path
FORMS = (
    "a file (.csv, .tsv, .txt, .json)",
    "mask()",
    "interval(width=5,levels=4)",
    "interval(cuts=18|30|65)",
    "grown(depth=3)",
    "date()",
    "flat()",
    "parents(file=icd.csv)",
    "suggest()",
)
_CALL = re.compile(r"\s*([a-z][a-z-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)
_FILES = (".csv", ".tsv", ".txt", ".json")


def hierarchy_of(spec: Spec, column: pl.Series, name: str, target: pl.Series | None = None) -> Hierarchy:
    """The hierarchy that a specification means for a column, checked against its values.

    `target` is the class column that `grown` splits by.
    """
    if isinstance(spec, Hierarchy):
        return fit_to_column(spec, column, name)
    if isinstance(spec, Path) or (isinstance(spec, str) and spec.lower().endswith(_FILES)):
        return fit_to_column(read_hierarchy(Path(spec)), column, name)
    if not isinstance(spec, str):
        return fit_to_column(from_nested(spec), column, name)
    found = _CALL.fullmatch(spec)
    builder = _BUILDERS.get(found[1]) if found else None
    if not found or not builder:
        raise BadParameter(f"no hierarchy {spec!r} for column '{name}'; give {', '.join(FORMS)}")
    given = _parameters_from(found[1], found[2] or "", builder.parameters)
    if column.null_count() == len(column) and found[1] != "parents":
        return Hierarchy.of_levels([[None]])  # nothing to mask or to cut, in a column that is all missing
    try:
        hierarchy = builder.build(_Request(given, column, name, target))
    except BadHierarchy as error:
        raise BadHierarchy(f"column '{name}': {error}") from error
    return fit_to_column(hierarchy, column, name)


def of_released(spec: Spec, column: pl.Series, name: str) -> Hierarchy:
    """The hierarchy for a column of a release; where that has labels of a higher level, the part above."""
    try:
        return hierarchy_of(spec, column, name)
    except BadHierarchy:
        whole = hierarchy_of(spec, column.clear(), name)
        level = whole.level_of(texts(column).drop_nulls().unique().to_list())
        if level is None:
            raise
        return replace(fit_to_column(whole.above(level), column, name), whole=whole)


def fit_to_column(hierarchy: Hierarchy, column: pl.Series, name: str) -> Hierarchy:
    """The hierarchy with the missing value added if the column has one; refused if it does not know a
    value.
    """
    values = texts(column).unique().sort(nulls_last=True)
    if unknown := hierarchy.missing(values.drop_nulls().to_list()):
        shown = ", ".join(map(repr, unknown[:3])) + (", …" if len(unknown) > 3 else "")
        many, each = ("a value", "it") if len(unknown) == 1 else (f"{len(unknown)} values", "each")
        raise BadHierarchy(
            f"column '{name}' has {many} that its hierarchy does not know: {shown}; add a line for {each}"
        )
    return hierarchy.with_missing_value() if values.null_count() else hierarchy


@dataclass(frozen=True)
class _Request:
    """The parameters of a specification and the column it is for."""

    given: Mapping[str, str]
    column: pl.Series
    name: str
    target: pl.Series | None

    @property
    def values(self) -> list[Label]:
        return texts(self.column).unique().sort(nulls_last=True).to_list()

    def whole(self, parameter: str, otherwise: int) -> int:
        text = self.given.get(parameter)
        if text is None:
            return otherwise
        if not re.fullmatch(r"[+-]?\d{1,9}", text):
            raise BadParameter(f"{parameter}={text} is not a whole number; give one such as {otherwise}")
        return int(text)

    def choice(self, parameter: str, choices: Sequence[str]) -> str | None:
        text = self.given.get(parameter)
        if text is not None and text not in choices:
            raise BadParameter(f"no {parameter}={text}; choose {' or '.join(choices)}")
        return text


@dataclass(frozen=True)
class _Builder:
    """What a word builds, and the parameters it takes."""

    build: Callable[[_Request], Hierarchy]
    parameters: tuple[str, ...] = ()


def _parameters_from(word: str, inside: str, parameters: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in inside.split(","))):
        parameter, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or parameter not in parameters:
            takes = f"it takes {', '.join(parameters)}" if parameters else "it takes none"
            raise BadParameter(f"{word} has no parameter {part!r}; {takes}")
        if parameter in given:
            raise BadParameter(f"{word} names {parameter} twice, as {given[parameter]} and {value}; keep one")
        given[parameter] = value
    return given


def _mask(request: _Request) -> Hierarchy:
    keep_left = request.choice("keep", ("left", "right")) != "right"
    return masked(request.values, request.given.get("sign", TOP), keep_left, request.whole("step", 1))


def _interval(request: _Request) -> Hierarchy:
    given = request.given
    if ("cuts" in given) == ("width" in given) or ("cuts" in given and len(given) > 1):
        raise BadParameter("interval takes either width (with levels, fanout, origin) or cuts=18|30|65")
    if "cuts" in given:
        # A slash begins the next, coarser level: 18|30|65/30.
        return of_cuts(request.values, [level.split("|") for level in given["cuts"].split("/")])
    levels = request.whole("levels", 4) if "levels" in given else None
    return of_width(
        request.values, given["width"], levels, request.whole("fanout", 2), given.get("origin", 0)
    )


def _grow_intervals(request: _Request) -> Hierarchy:
    target = None if request.target is None else texts(request.target).to_list()
    return grown(texts(request.column).to_list(), target, request.whole("depth", 4))


def _date(request: _Request) -> Hierarchy:
    order = request.choice("order", ("day", "month"))
    return of_dates(request.values, None if order is None else order == "day")


def _parents(request: _Request) -> Hierarchy:
    if "file" not in request.given:
        raise BadParameter("parents needs a file of child and parent: parents(file=icd.csv)")
    return read_parents(request.given["file"], request.values)


_BUILDERS = {
    "mask": _Builder(_mask, ("sign", "keep", "step")),
    "interval": _Builder(_interval, ("width", "levels", "fanout", "origin", "cuts")),
    "grown": _Builder(_grow_intervals, ("depth",)),
    "date": _Builder(_date, ("order",)),
    "flat": _Builder(lambda request: flat(request.values)),
    "parents": _Builder(_parents, ("file",)),
    "suggest": _Builder(lambda request: suggest(request.column, request.name).hierarchy),
}


def path_in(spec: object) -> str | None:
    """The file that a hierarchy's specification reads: `FILE.csv`, or the one in `parents(file=FILE)`."""
    if isinstance(spec, Path):
        return str(spec)
    if not isinstance(spec, str):
        return None
    if spec.lower().endswith((".csv", ".tsv", ".txt", ".json")):
        return spec
    found = re.search(r"\bfile\s*=\s*([^,)]+)", spec)
    return found[1].strip() if found else None


def declares(spec: object) -> bool:
    """Whether a hierarchy's specification says by itself what values there are, without looking at the data.

    A file of parents does not: a group becomes a leaf as well when somebody has it as a value.
    """
    if isinstance(spec, str):
        return path_in(spec) == spec
    return spec is not None
