"""Risk against usefulness over many settings, and which of them no other beats in both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shoal.core.contract import Measure
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Promise, Tables, number
from shoal.tables.appraisal.losses import LOSSES
from shoal.tables.appraisal.usefulness import Usefulness
from shoal.tables.measures.classifier_accuracy.classifier_accuracy import ClassifierAccuracy
from shoal.tables.measures.information_gain import InformationGain
from shoal.tables.measures.risk import Marketer, Prosecutor
from shoal.tables.measures.workload_error import WorkloadError


@dataclass(frozen=True)
class Axis:
    """A figure to compare by, what it is called, and which way is better."""

    name: str
    title: str
    more_is_better: bool = False
    share: bool = True  # from 0 to 1, or nearly

    @classmethod
    def of(cls, measure: type[Measure[Any, Any]]) -> Axis:
        """The figure that a measure gives."""
        return cls(measure.name, measure.title, measure.better == "more", measure.share)

    def text(self, value: float | None) -> str:
        """The figure for people."""
        if value is None:
            return "–"
        return f"{value:.3%}" if self.share else f"{value:,.6g}"

    def to_json(self) -> dict[str, Json]:
        return {"name": self.name, "title": self.title, "better": "more" if self.more_is_better else "less"}


RISKS = {
    axis.name: axis
    for axis in (
        Axis(f"{Prosecutor.name}-highest", "highest risk of re-identification"),
        Axis(f"{Prosecutor.name}-average", "average risk of re-identification"),
        Axis(Marketer.name, "share of rows expected to be re-identified"),
    )
}
SUPPRESSED = Axis("suppressed", "share of the rows left out")
OF_CLASS = tuple(measure.name for measure in (InformationGain, ClassifierAccuracy))  # need a class column
UTILITIES = {
    axis.name: axis
    for axis in (
        *(Axis.of(loss) for loss in LOSSES),
        SUPPRESSED,
        Axis.of(WorkloadError),
        Axis.of(InformationGain),
        Axis.of(ClassifierAccuracy),
    )
}


@dataclass(frozen=True)
class Point:
    """One setting and what it led to; without figures when it cannot be reached."""

    label: str  # what differs between settings, but for the method
    method: str
    suppress: float
    promises: tuple[Promise, ...]
    reached: bool = True
    reason: str | None = None
    rows: int = 0
    released: int | None = None
    risks: Mapping[str, Json] | None = None
    losses: Mapping[str, float] = field(default_factory=dict)
    usefulness: Usefulness | None = None
    seconds: float = 0.0
    risk: float | None = None
    utility: float | None = None
    front: bool = False

    @property
    def suppressed(self) -> int | None:
        """Rows left out."""
        return None if self.released is None else max(self.rows - self.released, 0)

    def to_json(self, setting: str) -> dict[str, Json]:
        return {
            "setting": setting,
            "method": self.method,
            "models": [promise.to_json() for promise in self.promises],
            "suppress": self.suppress,
            "reached": self.reached,
            "reason": self.reason,
            "released": self.released,
            "suppressed": self.suppressed,
            "risk": None if self.risks is None else dict(self.risks),
            "losses": {name: number(value) for name, value in self.losses.items()} if self.reached else None,
            "usefulness": None if self.usefulness is None else self.usefulness.to_json(),
            "seconds": self.seconds,
            "figures": {"risk": number(self.risk), "utility": number(self.utility)},
            "front": self.front,
        }


def useful(point: Point, name: str) -> float | None:
    """The figure that a utility axis shows of a point."""
    if name == SUPPRESSED.name:
        return None if point.suppressed is None else point.suppressed / point.rows
    if name == WorkloadError.name:
        return None if point.usefulness is None else point.usefulness.workload.median
    if name in OF_CLASS:
        about = None if point.usefulness is None else point.usefulness.of_class
        if about is None:
            return None
        return about.gain.kept if name == InformationGain.name else about.accuracy.released
    return number(point.losses.get(name.replace("-", "_")))


@dataclass(frozen=True)
class TradeOff(Shown):
    """What `compare` returns: every setting as a point, and the front."""

    points: tuple[Point, ...]
    risk: Axis
    utility: Axis
    rows: int
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, points: Sequence[Point], risk: Axis, utility: Axis, rows: int, notes: Sequence[str] = ()
    ) -> TradeOff:
        """The points with the front marked."""
        figures = [(point.risk, point.utility) for point in points]
        marks = front(figures, utility.more_is_better)
        marked = tuple(replace(point, front=mark) for point, mark in zip(points, marks, strict=True))
        return cls(marked, risk, utility, rows, tuple(notes))

    @property
    def several_methods(self) -> bool:
        """Whether points differ by method."""
        return len({point.method for point in self.points}) > 1

    def setting(self, point: Point) -> str:
        """What tells a point from the others."""
        return f"{point.method}, {point.label}" if self.several_methods else point.label

    @property
    def front(self) -> list[Point]:
        """The settings that no other beats in both, from the least risk on."""
        return sorted((point for point in self.points if point.front), key=lambda point: point.risk or 0.0)

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal table compare --json` prints."""
        return {
            "rows": self.rows,
            "risk": self.risk.to_json(),
            "utility": self.utility.to_json(),
            "points": [point.to_json(self.setting(point)) for point in self.points],
            "front": [self.setting(point) for point in self.front],
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        lines = [["setting", "released", self.risk.title, self.utility.title, "seconds", "front"]]
        unreached = [["setting", "why not"]]
        for point in self.points:
            if not point.reached:
                unreached.append([self.setting(point), point.reason or ""])
                continue
            lines.append(
                [
                    self.setting(point),
                    f"{point.released:,} of {point.rows:,}",
                    self.risk.text(point.risk),
                    self.utility.text(point.utility),
                    f"{point.seconds:.2f}",
                    "●" if point.front else "",
                ]
            )
        tables = {"settings": lines}
        if len(unreached) > 1:
            tables["not reached"] = unreached
        return tables


def front(figures: Sequence[tuple[float | None, float | None]], more_is_better: bool = False) -> list[bool]:
    """Of pairs (risk, utility) those that no other is at least as good as in both and better in one."""
    sign = -1 if more_is_better else 1
    costs = [None if risk is None or utility is None else (risk, sign * utility) for risk, utility in figures]
    known = [cost for cost in costs if cost is not None]
    return [
        cost is not None
        and not any(other != cost and other[0] <= cost[0] and other[1] <= cost[1] for other in known)
        for cost in costs
    ]
