"""How far answers are off: Shoal beside OpenDP, SmartNoise, Tumult and diffprivlib at the same price.

ε = 1 for every question, 1,000 made-up people, the root of the mean squared error over many draws. Peers
are no dependencies: `SHOAL_PEERS` names Pythons that have some of them (with `:` between, as in PATH), and
`their_accuracy.py` asks those in there about the same rows. Whoever is absent is told by what was measured
once (2026-11-16, other rows; then diffprivlib was told the number of rows).
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import get_args

import numpy as np
import polars as pl

from benchmarks import clock, show
from shoal.queries.accounting.accountants import accounting_of
from shoal.queries.answering.assemble_answer import AnswerRows, make_answer
from shoal.queries.answering.budget_split import Shares
from shoal.queries.answering.noise import add_noise
from shoal.queries.declaration.declaration import Accounting, Budget, Column, Dataset, Table
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

PEOPLE, TOWNS, DRAWS = 1_000, 40, 400
TABLES = 400  # whose rows are drawn anew
DELTA = Fraction(1, 10**6)
THEIRS = Path(__file__).with_name("their_accuracy.py")
RECORDED: Mapping[str, Mapping[str, str]] = {
    "SmartNoise": {
        "COUNT": "1.50",
        "SUM income": "742k",
        "AVG age": "0.315",
        "AVG income": "1,424",
        "VAR age": "59",
        "groups": "2.86 (8.4)",
    },
    "OpenDP": {
        "COUNT": "1.22",
        "SUM income": "717k",
        "AVG age": "0.297",
        "AVG income": "1,386",
        "median income": "261",
        "90 % of income": "1,476",
        "groups": "1.38 (16.4)",
    },
    "Tumult": {
        "COUNT": "1.32",
        "SUM income": "735k",
        "AVG age": "0.154",
        "AVG income": "904",
        "VAR age": "31",
        "median income": "114",
        "90 % of income": "1,572",
    },
    "diffprivlib": {
        "COUNT": "0.84",
        "SUM income": "787k",
        "AVG age": "0.144",
        "AVG income": "706",
        "VAR age": "24",
        "median income": "252",
        "90 % of income": "1,667",
    },
}


@dataclass(frozen=True)
class Measured:
    """What many draws of one question were like."""

    off: float  # root of the mean squared error
    told: float  # `error` of the answers, on average, over the mean size of the errors
    held: float  # how often the interval held the truth
    mean: float  # size of the errors
    found: float | None = None  # groups


def run(rows: int | None, rounds: int | None, only: str) -> None:
    """The table; `rows` are people, `rounds` draws."""
    frame = people(rows or PEOPLE)
    draws = rounds or DRAWS
    asked = {name: text for name, text in questions().items() if only in name}
    show.table(
        "questions of ε=0.01 that a budget of ε=1, δ=1e-6 pays for",
        ["accounting", "questions"],
        [[name, f"{affordable(name):,}"] for name in get_args(Accounting)],
        [],
    )
    kinds: tuple[Accounting, ...] = ("approximate", "zcdp", "pld")
    for accounting in kinds:
        ours = {name: measure(frame, text, accounting, draws) for name, text in asked.items()}
        theirs, notes = peers(frame, draws) if accounting == "approximate" else ({}, [])
        show.table(
            f"root mean squared error at ε=1, {accounting}, {frame.height:,} people, {draws:,} draws",
            ["question", "Shoal", "told/true", "held", *(theirs or ())],
            [
                [
                    name,
                    figure(mine.off, mine.found),
                    f"{mine.told:.2f}",
                    f"{mine.held:.1%}",
                    *(known.get(name, "–") for known in theirs.values()),
                ]
                for name, mine in ours.items()
            ],
            notes,
        )
    if not only or only in "quantiles":
        over_tables(frame.height, draws)


def over_tables(number: int, draws: int) -> None:
    """Error and interval of quantiles where the rows are drawn anew: of one table a gap decides them."""
    asked = {name: text for name, text in questions().items() if "income" in name and "AVG" not in name}
    kinds: tuple[Accounting, ...] = ("approximate", "zcdp", "pld")
    lines = []
    for accounting in kinds:
        for name in ("median income", "90 % of income"):
            each = [
                measure(people(number, seed), asked[name], accounting, max(1, draws // TABLES))
                for seed in range(TABLES)
            ]
            known = [one for one in each if np.isfinite(one.told)]  # the error of a few is not told
            told = sum(one.told * one.mean for one in known) / sum(one.mean for one in known)
            held = sum(one.held for one in each) / TABLES
            lines.append([accounting, name, f"{told:.2f}", f"{held:.1%}"])
    show.table(
        f"quantiles of {number:,} people, over {TABLES} tables",
        ["accounting", "question", "told/true", "held"],
        lines,
        [],
    )


def affordable(name: str) -> int:
    """How many small questions fit one budget."""
    books = accounting_of(name)
    limit = books.limit(Budget(Fraction(1), Fraction(0) if name == "pure" else DELTA))
    return limit.loss // books.cost(Fraction(1, 100), Fraction(0)).loss


def questions() -> dict[str, str]:
    """One name, one question."""
    return {
        "COUNT": "SELECT COUNT(*) FROM people",
        "SUM income": "SELECT SUM(income) FROM people",
        "AVG age": "SELECT AVG(age) FROM people",
        "AVG income": "SELECT AVG(income) FROM people",
        "VAR age": "SELECT VAR_POP(age) FROM people",
        "median income": "SELECT MEDIAN(income) FROM people",
        "90 % of income": "SELECT QUANTILE_CONT(income, 0.9) FROM people",
        "SUM of CASE": "SELECT SUM(CASE WHEN age >= 65 THEN 1 ELSE 0 END) FROM people",
        "AVG of CASE": "SELECT AVG(CASE WHEN age >= 65 THEN 1 ELSE 0 END) FROM people",
        "MAX age": "SELECT MAX(age) FROM people",
        "groups": "SELECT town, COUNT(*) AS n FROM people GROUP BY town",
        "AVG by groups": "SELECT town, AVG(age) AS n FROM people GROUP BY town",
        "five at once": "SELECT AVG(age), COUNT(*), SUM(age), STDDEV_POP(age), VAR_POP(age) FROM people",
    }


def people(number: int, seed: int = 7) -> pl.DataFrame:
    """Ages of a normal law, incomes of a long-tailed one, towns after Zipf."""
    chance = np.random.default_rng(seed)
    shares = 1 / np.arange(1, TOWNS + 1)
    sizes = np.rint(shares / shares.sum() * number).astype(int)
    sizes[0] += number - sizes.sum()
    return pl.DataFrame(
        {
            "id": np.arange(number),
            "age": chance.normal(45, 17, number).clip(0, 99).astype(int),
            "income": chance.lognormal(10.5, 0.6, number).clip(0, 499_999).round(2),
            "town": [f"town {place:02}" for place, size in enumerate(sizes) for _ in range(size)],
        }
    )


def declared(accounting: Accounting) -> Dataset:
    """Bounds as an owner would choose them."""
    columns = (
        Column("id", "integer"),
        Column("age", "integer", 0, 100),
        Column("income", "number", 0, 500_000),
        Column("town"),
    )
    return Dataset(
        "bench", (Table("people", columns, unit="id"),), Budget(Fraction(10), DELTA), "refuse", accounting
    )


def truths(frame: pl.DataFrame, name: str) -> dict[str | None, float]:
    """The truth of a question by its group; None where there are no groups."""
    age, income = frame["age"].to_numpy(), np.sort(frame["income"].to_numpy())
    if "town" in name:
        by = frame.group_by("town").agg(pl.len() if "COUNT" in name else pl.col("age").mean().alias("len"))
        return {town: float(value) for town, value in by.iter_rows()}
    kinds = {
        "COUNT": len(age),
        "SUM(income)": income.sum(),
        "AVG(age)": age.mean(),
        "AVG(income)": income.mean(),
        "VAR_POP": age.var(),
        "MEDIAN": np.median(income),
        "0.9": np.quantile(income, 0.9),
        "MAX": age.max(),
        "SUM(CASE": (age >= 65).sum(),
        "AVG(CASE": (age >= 65).mean(),
    }
    # The last one named is the last column of the answer.
    return {None: float(kinds[max(kinds, key=name.rfind)])}


def measure(frame: pl.DataFrame, text: str, accounting: Accounting, draws: int) -> Measured:
    """The last column of the answer, many times."""
    dataset = declared(accounting)
    store = DuckStore(dataset)
    store.load("people", frame)
    query = plan(text, dataset, store)
    counted, truth = store.run(selects(query)), truths(frame, text)
    shares = Shares(accounting, Fraction(1), DELTA if query.discovered else Fraction(0), query.parts)
    off, told, held, found = [], [], [], 0
    for _ in range(draws):
        answer: AnswerRows = make_answer(query, add_noise(query, counted, shares))
        found += len(answer.rows)
        error = list(answer.error.values())[-1]
        for row, cells in zip(answer.rows, answer.interval, strict=True):
            true = truth[str(row[0]) if "town" in text else None]
            off.append(float(row[-1]) - true)  # type: ignore[arg-type]
            told.append(np.nan if error is None else error)
            cell = cells[-1]
            held.append(cell is not None and cell[0] - 1e-6 <= true <= cell[1] + 1e-6)
    sizes = np.abs(off)
    return Measured(
        float(np.sqrt((sizes**2).mean())),
        float(np.nanmean(told) / sizes.mean()) if np.isfinite(told).any() else float("nan"),
        float(np.mean(held)),
        float(sizes.mean()),
        found / draws if "town" in text else None,
    )


def peers(frame: pl.DataFrame, draws: int) -> tuple[dict[str, Mapping[str, str]], list[str]]:
    """What the others do: measured in this run where they are, else what was measured once."""
    known = {f"{name} (recorded)": figures for name, figures in RECORDED.items()}
    pythons = [path for path in os.environ.get("SHOAL_PEERS", "").split(os.pathsep) if path]
    if not pythons:
        return known, ["SHOAL_PEERS names no Python with peers, so these are recorded figures of other rows"]
    measured: dict[str, dict[str, tuple[float, float | None]]] = {}
    notes = []
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "people.csv"
        frame.write_csv(table)
        for python in pythons:
            done = subprocess.run(
                [python, str(THEIRS), str(table), str(draws)],
                capture_output=True,
                text=True,
                check=False,
                timeout=clock.LONGEST,
            )
            if done.returncode:
                notes.append(
                    f"peers of {python} failed: {(done.stderr.strip() or 'without a word').splitlines()[-1]}"
                )
            else:
                measured |= json.loads(done.stdout.splitlines()[-1])
    shown: dict[str, Mapping[str, str]] = {
        name: {what: figure(value[0], value[1]) for what, value in figures.items()}
        for name, figures in measured.items()
    }
    absent = {name: figures for name, figures in known.items() if name.split(" (")[0] not in measured}
    return {**shown, **absent}, notes


def figure(off: float, found: float | None) -> str:
    """An error with three digits, and the groups found behind it."""
    shown = f"{off / 1000:,.0f}k" if off >= 100_000 else f"{off:,.0f}" if off >= 100 else f"{off:.3g}"
    return shown if found is None else f"{shown} ({found:.1f})"
