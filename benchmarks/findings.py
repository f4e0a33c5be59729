"""Published findings about anonymised tables, measured again on Adult.

Ganta, Kasiviswanathan and Smith (2008): two bodies publish about overlapping people, each keeps its promise,
and the intersection of both releases breaks it. Machanavajjhala et al. (2007): k-anonymous classes in which
everybody has the same secret. Everything here goes through the Python API that users have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks import show
from benchmarks.people import QUASI, adult
from shoal.core.errors import Unreachable
from shoal.core.outcome import Finding
from shoal.engines.files import read_frame
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy

SECRET, MADE_UP = "occupation", "made up"
KS = (2, 5, 10, 20, 50)
METHODS = ("mondrian", "optimal")
SHARED = 5_000
SEED = 2008


@dataclass(frozen=True)
class Subject:
    """The table, its hierarchies, and the people by chance in an order of their own."""

    name: str
    frame: pl.DataFrame
    hierarchies: dict[str, Hierarchy]
    generated: bool

    @classmethod
    def of(cls, rows: int | None = None) -> Subject:
        found = adult(rows)
        frame = read_frame(found.table)
        hierarchies = {column: read_hierarchy(path) for column, path in found.hierarchies.items()}
        return cls(found.table.name, frame.select(QUASI), hierarchies, found.generated)

    def quasi(self, secret: str) -> tuple[str, ...]:
        """All columns but the secret one and what is left out for being half a secret."""
        hidden = secret if secret in QUASI else SECRET
        return tuple(column for column in QUASI if column not in (hidden, "salary-class"))

    def with_made_up(self, kinds: int) -> Subject:
        """The same people with a secret drawn by chance, every value as likely as the others."""
        drawn = np.random.default_rng(SEED).integers(0, kinds, self.frame.height)
        return replace(self, frame=self.frame.with_columns(pl.Series(MADE_UP, drawn).cast(pl.String)))

    def overlapping(self, bodies: int) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
        """People whom all bodies know, and the people of each body: those, and a share of the others."""
        order = np.random.default_rng(SEED).permutation(self.frame.height)
        shared = min(SHARED, self.frame.height // 3)
        common, others = self.frame[order[:shared]], np.array_split(order[shared:], bodies)
        return common, [pl.concat([common, self.frame[part]]) for part in others]

    def released(self, frame: pl.DataFrame, models: Sequence[str], method: str, secret: str) -> Any:
        """A release as its body would make it."""
        quasi = self.quasi(secret)
        return shoal.protect(
            frame.select(*quasi, secret),
            quasi=quasi,
            sensitive=secret,
            hierarchy={column: self.hierarchies[column] for column in quasi},
            model=list(models),
            method=method,
            suppress=0,
            seed=SEED,
        )


@dataclass(frozen=True)
class Breaches:
    """What the releases of several bodies tell about the people they share."""

    people: int
    perfect: int
    right: int
    partial: int
    alone: int  # perfect breaches by the best single release
    class_size: float  # rows per class of the first release


def intersected(
    subject: Subject, models: Sequence[str], method: str, secret: str = SECRET, bodies: int = 2
) -> Breaches | None:
    """The intersection attack on the releases of several bodies; None when one cannot keep its promise."""
    common, parts = subject.overlapping(bodies)
    quasi = subject.quasi(secret)
    try:
        releases = [subject.released(part, models, method, secret) for part in parts]
    except Unreachable:
        return None
    first, *others = (release.table for release in releases)
    people = common.with_row_index("name")
    found: Finding = shoal.attack(
        first,
        "intersection",
        other=others,
        external=people.drop(secret),
        original=people,
        quasi=quasi,
        sensitive=secret,
        hierarchy={column: subject.hierarchies[column] for column in quasi},
    )
    told: Any = found.details
    assert told["in_no_class"] == told["contradictions"] == 0, "everybody is in every release"
    assert told["judged"] == told["right"] == told["perfect"], "and nothing that is told is wrong"
    classes = first.frame.select(quasi).n_unique()
    return Breaches(
        common.height,
        told["perfect"],
        told["right"],
        sum(told["partial"].values()),
        max(told["told_by_one_release"]),
        first.rows / classes,
    )


def homogeneous(subject: Subject, models: Sequence[str], method: str, confidence: float) -> float | None:
    """The share of people whose occupation their class tells with that confidence."""
    try:
        release = subject.released(subject.frame, models, method, SECRET)
    except Unreachable:
        return None
    attack = f"homogeneity(confidence={confidence:g})"
    quasi = subject.quasi(SECRET)
    found: Finding = shoal.attack(release.table, attack, quasi=quasi, sensitive=SECRET)
    return found.rate.value


def run(rows: int | None = None, only: str = "") -> None:
    """Print the tables whose name has `only` in it."""
    subject = Subject.of(rows)
    parts: dict[str, Callable[[Subject], None]] = {
        "by k": _by_k,
        "by model": _by_model,
        "by secret": _by_domain,
        "by bodies": _by_bodies,
        "homogeneity": _homogeneity,
    }
    for name, part in parts.items():
        if only in name:
            part(subject)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2%}"


def _line(name: str, found: Breaches | None) -> list[str]:
    if found is None:
        return [name, *["–"] * 4]
    shares = (found.alone, found.perfect, found.partial)
    return [name, *(_share(part, found.people) for part in shares), f"{found.class_size:.0f}"]


HEADER = ["by one release", "perfect together", "2 or 3 left", "rows per class"]


def _notes(subject: Subject) -> list[str]:
    return ["the table is generated: figures are not those of Adult"] if subject.generated else []


def _title(subject: Subject, what: str) -> str:
    shared = min(SHARED, subject.frame.height // 3)
    return f"Intersection of releases of {subject.name}, {shared:,} people in all of them: {what}"


def _by_k(subject: Subject) -> None:
    lines = [
        _line(f"{method}, k={k}", intersected(subject, [f"k-anonymity(k={k})"], method))
        for method in METHODS
        for k in KS
    ]
    show.table(_title(subject, "two bodies, k-anonymity"), ["release", *HEADER], lines, _notes(subject))


MODELS = (
    ("k-anonymity(k=5)",),
    ("k-anonymity(k=5)", "l-diversity(l=3)"),
    ("k-anonymity(k=5)", "l-diversity(l=6)"),
    ("k-anonymity(k=5)", "l-diversity(l=3,kind=entropy)"),
    ("k-anonymity(k=5)", "l-diversity(l=6,kind=entropy)"),
    ("k-anonymity(k=5)", "t-closeness(t=0.4)"),
    ("k-anonymity(k=5)", "t-closeness(t=0.3)"),
    ("k-anonymity(k=5)", "t-closeness(t=0.2)"),
)


def _by_model(subject: Subject) -> None:
    lines = [_line(" + ".join(models), intersected(subject, models, "mondrian")) for models in MODELS]
    show.table(_title(subject, "two bodies, Mondrian"), ["models", *HEADER], lines, _notes(subject))


KINDS = (2, 4, 8, 16, 32, 64, 128, 1000)
SECRETS = ("sex", "race", "occupation", "education", "native-country", "age")


def entropy(column: pl.Series) -> float:
    """How much the values of a column tell, in bits."""
    shares = (column.value_counts()["count"] / len(column)).to_numpy()
    return float(-(shares * np.log2(shares)).sum())


def _by_domain(subject: Subject) -> None:
    lines = []
    for secret in sorted(SECRETS, key=lambda name: entropy(subject.frame[name])):
        values = subject.frame[secret]
        found = intersected(subject, ["k-anonymity(k=5)"], "mondrian", secret)
        most = int(values.value_counts()["count"].max())  # type: ignore[arg-type]
        told = [f"{values.n_unique()}", f"{entropy(values):.2f}", _share(most, len(values))]
        lines.append([secret, *told, *_line("", found)[1:]])
    header = ["secret", "values", "bits", "commonest", *HEADER]
    show.table(_title(subject, "two bodies, Mondrian, k=5"), header, lines, _notes(subject))
    lines = [
        _line(
            f"{kinds:,} values",
            intersected(subject.with_made_up(kinds), ["k-anonymity(k=5)"], "mondrian", MADE_UP),
        )
        for kinds in KINDS
    ]
    title = _title(subject, "the same with a made-up secret, all values as likely")
    show.table(title, ["secret", *HEADER], lines, _notes(subject))


def _by_bodies(subject: Subject) -> None:
    lines = [
        _line(
            f"{bodies} bodies, k={k}",
            intersected(subject, [f"k-anonymity(k={k})"], "mondrian", SECRET, bodies),
        )
        for k in (5, 10)
        for bodies in (2, 3, 4)
    ]
    show.table(_title(subject, "Mondrian"), ["releases", *HEADER], lines, _notes(subject))


HOMOGENEITY = (
    (),
    ("l-diversity(l=2)",),
    ("l-diversity(l=3,kind=entropy)",),
    ("t-closeness(t=0.3)",),
)


def _homogeneity(subject: Subject) -> None:
    for confidence in (1.0, 0.6):
        lines = []
        for method in METHODS:
            for more in HOMOGENEITY:
                models = [(f"k-anonymity(k={k})", *more) for k in KS]
                found = [homogeneous(subject, each, method, confidence) for each in models]
                shares = ["–" if share is None else f"{share:.2%}" for share in found]
                lines.append([" + ".join((method, *more)), *shares])
        show.table(
            f"People of {subject.name} whose class tells their {SECRET}, {confidence:.0%} sure",
            ["release", *(f"k={k}" for k in KS)],
            lines,
            _notes(subject),
        )
