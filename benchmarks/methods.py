"""Which method to choose: loss and what a classifier learns on Adult, and seconds on large and wide tables.

The classifier answers the question that a user of the release has: trained on the released labels of two
thirds of the people, how often is it right about the untouched rows of the others? A label counts as the
average of the values that it covers, so that coarse and fine releases speak one language.
"""

from __future__ import annotations

import importlib
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import shoal
from benchmarks import show
from benchmarks.people import QUASI, adult, people
from shoal import catalog
from shoal.core.errors import Unreachable
from shoal.engines.files import read_frame
from shoal.tables.hierarchies import Hierarchy, hierarchy_of
from shoal.tables.hierarchies.hierarchy_files import read_hierarchy
from shoal.tables.hierarchies.leaf_order import LeafOrder

CLASS = "salary-class"
EIGHT = tuple(column for column in QUASI if column != CLASS)
KS = (5, 10, 50, 100)
SUPPRESS = 0.05


@dataclass(frozen=True)
class Contender:
    """A method in a line of the table, and what it is allowed to leave out."""

    name: str
    method: str
    suppress: float = 0.0


CONTENDERS = (
    Contender("optimal", "optimal"),
    Contender("optimal, 5 % left out", "optimal", SUPPRESS),
    Contender("local-recoding", "local-recoding"),
    Contender("top-down, for the class", f"top-down(class-column={CLASS})"),
    Contender("top-down, for the loss", "top-down"),
    Contender("mondrian", "mondrian"),
    Contender("mondrian, relaxed", "mondrian(relaxed=True)"),
)
# CPU seconds of the fastest Python libraries for 1,000,000 rows, k=5 (shared/REFERENCES.md).
THEIRS = {5: ("anonymity-api 1.1.1 (splits numbers only)", 2.7), 8: ("ANJANA 1.2.3 (full domain)", 12.0)}
THEIR_MONDRIAN = {5: ("anonypy 0.2.1", 115.0), 8: ("project-lighthouse 1.0.0", 474.0)}


def run(rows: int | None = None, only: str = "") -> None:
    """Print the tables whose name has `only` in it."""
    parts: dict[str, Callable[[], None]] = {
        "adult": lambda: _side_by_side(rows),
        "million": lambda: _million(rows or 1_000_000),
        "fourteen": lambda: _fourteen(rows),
        "wide": lambda: _wide(rows or 100_000, 300 if rows is None else 30),
    }
    for name, part in parts.items():
        if only in name:
            part()


def _missing(method: str) -> bool:
    return method.partition("(")[0] not in catalog.names("method")


def _side_by_side(rows: int | None) -> None:
    subject = adult(rows)
    frame = read_frame(subject.table)
    hierarchies = {column: read_hierarchy(subject.hierarchies[column]) for column in EIGHT}
    chance = np.random.default_rng(1)
    order = chance.permutation(frame.height)
    train, test = (frame[part] for part in np.split(order, [2 * frame.height // 3]))
    found = _accuracy(train, test, hierarchies)
    most = test[CLASS].value_counts()["count"].max()
    assert isinstance(most, int)
    lines = [["the original", "", "", "", "", "", *[f"{found:.4f}"] * len(KS)]]
    skipped = []
    for contender in CONTENDERS:
        if _missing(contender.method):
            skipped.append(f"{contender.method} is not in the catalog: left out")
            continue
        lines.append(_line(contender, frame, train, test, hierarchies))
    show.table(
        f"Loss and accuracy on {subject.table.name}: {frame.height:,} rows, 8 quasi-identifiers, k = 5 … 100",
        ["method", "s, k=5", *(f"loss, k={k}" for k in KS), *(f"accuracy, k={k}" for k in KS)],
        lines,
        [
            f"accuracy: logistic regression on {CLASS}, trained on the release of {train.height:,} rows,",
            f"tested on {test.height:,} untouched ones; always saying the commoner class is right for "
            f"{most / test.height:.4f}",
            "– where no release keeps the promise",
            *skipped,
            *(["the table is generated: figures are not those of Adult"] if subject.generated else []),
        ],
    )


def _line(
    contender: Contender,
    frame: pl.DataFrame,
    train: pl.DataFrame,
    test: pl.DataFrame,
    hierarchies: Mapping[str, Hierarchy],
) -> list[str]:
    losses, accuracies, seconds = [], [], math.nan
    for k in KS:
        try:
            whole = _protected(frame, contender, hierarchies, k)
            learnt = _protected(train, contender, hierarchies, k).table.frame
        except Unreachable:
            losses.append("–")
            accuracies.append("–")
            continue
        seconds = whole.seconds if k == KS[0] else seconds
        losses.append(f"{whole.losses['loss']:.4f}")
        accuracies.append(f"{_accuracy(learnt, test, hierarchies):.4f}")
    return [contender.name, f"{seconds:.2f}", *losses, *accuracies]


def _protected(
    frame: pl.DataFrame, contender: Contender, hierarchies: Mapping[str, Hierarchy], k: int
) -> Any:
    return shoal.protect(
        frame,
        quasi=EIGHT,
        sensitive=CLASS,
        hierarchy=hierarchies,
        k=k,
        method=contender.method,
        suppress=contender.suppress,
    )


def _accuracy(train: pl.DataFrame, test: pl.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> float:
    """How often a classifier that learnt from one table is right about another."""
    learner: Any = importlib.import_module("sklearn.linear_model").LogisticRegression(max_iter=400)
    learner.fit(_features(train, hierarchies), train[CLASS].to_list())
    return float(learner.score(_features(test, hierarchies), test[CLASS].to_list()))


def _features(frame: pl.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> Any:
    """Per row and leaf of every hierarchy, how likely the row has it as far as its label says."""
    sparse: Any = importlib.import_module("scipy.sparse")
    parts = []
    for column, hierarchy in hierarchies.items():
        line = LeafOrder.of(hierarchy)
        labels = frame[column].unique().to_list()
        weights = np.array([_weights(line, label) for label in labels])
        codes = frame[column].replace_strict(labels, list(range(len(labels)))).to_numpy()
        parts.append(sparse.csr_matrix(weights)[codes])
    return sparse.hstack(parts).tocsr()


def _weights(line: LeafOrder, label: str | None) -> NDArray[np.float64]:
    size = len(line.leaf_at)
    first, last = line.stretch_of(label) or (0, size - 1)
    weights = np.zeros(size)
    weights[first : last + 1] = 1 / (last - first + 1)
    return weights


def _million(rows: int) -> None:
    if _missing("mondrian"):
        print("\nMondrian on a large table: mondrian is not in the catalog")
        return
    subject = people(rows)
    frame = read_frame(subject.table)
    lines = []
    for quasi in (EIGHT[:5], EIGHT):
        hierarchies = {column: read_hierarchy(subject.hierarchies[column]) for column in quasi}
        found = {
            method: _timed(frame, quasi, hierarchies, method, ["k-anonymity(k=5)"])
            for method in ("mondrian", "optimal")
        }
        (release, wall, cpu), (full, _, _) = found["mondrian"], found["optimal"]
        told = rows == 1_000_000
        (fastest, theirs), (mondrian, slow) = THEIRS[len(quasi)], THEIR_MONDRIAN[len(quasi)]
        lines.append(
            [
                f"{rows:,} x {len(quasi)}",
                f"{release.seconds:.2f}",
                f"{wall:.2f} / {cpu:.2f}",
                f"{theirs:g} s {fastest}",
                show.times(theirs, cpu) if told else "–",
                f"{slow:g} s {mondrian}",
                show.times(slow, cpu) if told else "–",
                f"{release.losses['loss']:.4f}",
                f"{full.losses['loss']:.4f}",
            ]
        )
    show.table(
        "Mondrian, k=5, generated people",
        [
            "table",
            "method s",
            "whole call s, wall / CPU",
            "fastest",
            "ratio",
            "fastest Mondrian",
            "ratio",
            "loss",
            "loss of optimal",
        ],
        lines,
        [
            "method s: wall seconds, frame to recoded rows; the whole call adds roles and the check",
            "ratio: their CPU seconds against the CPU seconds of our whole call",
            "theirs: CPU seconds of shared/REFERENCES.md on another table of that size (Adult, grown)",
            _load(),
        ],
    )


def _fourteen(rows: int | None) -> None:
    """Adult with the attributes that our copy lacks made up: 13 known, one secret (Mohammed et al. 2009)."""
    model = "lkc(L=4,K=50,C=0.5,values=Divorced|Separated)"
    if _missing("top-down") or "lkc" not in catalog.names("model"):
        print("\nTop-down on 14 columns: top-down or lkc is not in the catalog")
        return
    subject = adult(rows)
    frame = _widened(read_frame(subject.table).select(QUASI))
    quasi = tuple(column for column in frame.columns if column not in ("marital-status", CLASS))
    hierarchies = {
        column: read_hierarchy(subject.hierarchies[column])
        if column in subject.hierarchies
        else hierarchy_of("interval(width=10)", frame[column], column)
        for column in quasi
    }
    lines = []
    for method in (f"top-down(class-column={CLASS})", "top-down"):
        release, wall, cpu = _timed(frame, quasi, hierarchies, method, [model], ("marital-status",))
        lines.append(
            [method, f"{release.seconds:.2f}", f"{wall:.2f} / {cpu:.2f}", f"{release.losses['loss']:.4f}"]
        )
    show.table(
        f"{model}: {frame.height:,} rows, {len(quasi)} quasi-identifiers",
        ["method", "method s", "whole call s, wall / CPU", "loss"],
        lines,
        ["target: seconds", "six of the fourteen columns are made up: our copy of Adult has eight", _load()],
    )


def _widened(frame: pl.DataFrame) -> pl.DataFrame:
    chance, rows = np.random.default_rng(14), frame.height
    gains = np.where(chance.random(rows) < 0.08, chance.integers(1, 100, rows) * 100, 0)
    losses = np.where(chance.random(rows) < 0.05, chance.integers(1, 40, rows) * 50, 0)
    made = {
        "weight": chance.lognormal(12, 0.5, rows).astype(int) // 10_000,
        "education-years": chance.integers(1, 17, rows),
        "relationship": chance.integers(0, 6, rows),
        "capital-gain": gains,
        "capital-loss": losses,
        "hours": np.clip(chance.normal(40, 12, rows), 1, 99).astype(int),
    }
    return frame.with_columns(pl.Series(name, values).cast(pl.String) for name, values in made.items())


def _wide(rows: int, columns: int) -> None:
    model = "lkc(L=2,K=50,C=0.5,values=yes)"
    if _missing("top-down") or "lkc" not in catalog.names("model"):
        print("\nTop-down on a wide table: top-down or lkc is not in the catalog")
        return
    chance = np.random.default_rng(300)
    shares = chance.uniform(0.005, 0.5, columns)
    bits = chance.random((rows, columns)) < shares
    names = [f"b{c:03}" for c in range(columns)]
    frame = pl.DataFrame({name: bits[:, c].astype(int) for c, name in enumerate(names)}).cast(pl.String)
    frame = frame.with_columns(
        pl.Series("secret", np.where(chance.random(rows) < 0.1, "yes", "no")),
        pl.Series("class", np.where(bits[:, :3].sum(axis=1) > 1, "a", "b")),
    )
    hierarchies = {name: Hierarchy.of_levels([["0", "1"]]) for name in names}
    release, wall, cpu = _timed(
        frame, names, hierarchies, "top-down(class-column=class)", [model], ("secret",)
    )
    kept = sum(release.table.frame[name].n_unique() > 1 for name in names)
    show.table(
        f"{model}: {rows:,} rows, {columns} binary quasi-identifiers",
        ["method", "method s", "whole call s, wall / CPU", "loss", "columns kept"],
        [
            [
                "top-down",
                f"{release.seconds:.2f}",
                f"{wall:.2f} / {cpu:.2f}",
                f"{release.losses['loss']:.4f}",
                f"{kept}",
            ]
        ],
        ["target: under a minute for 100,000 x 300", _load()],
    )


def _timed(
    frame: pl.DataFrame,
    quasi: Sequence[str],
    hierarchies: Mapping[str, Hierarchy],
    method: str,
    models: Sequence[str],
    sensitive: Sequence[str] = (),
) -> tuple[Any, float, float]:
    """A release, and the wall and CPU seconds of the whole call."""
    others = [column for column in frame.columns if column not in (*quasi, *sensitive)]
    wall, cpu = time.monotonic(), time.process_time()
    release = shoal.protect(
        frame,
        quasi=quasi,
        sensitive=sensitive,
        insensitive=others,
        hierarchy=hierarchies,
        model=models,
        method=method,
        suppress=0,
    )
    return release, time.monotonic() - wall, time.process_time() - cpu


def _load() -> str:
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
