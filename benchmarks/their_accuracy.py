"""Runs inside the peers' own Python: the same questions about the same rows, as JSON.

`python their_accuracy.py PEOPLE.csv DRAWS` prints {peer: {question: [error, groups found or null]}}. It
imports nothing of Shoal, and leaves out every peer that is not installed. n is private for all of them.
"""

from __future__ import annotations

import contextlib
import csv
import importlib
import json
import math
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Draw = Callable[[], float]
AGE, INCOME, DELTA = (0.0, 100.0), (0.0, 500_000.0), 1e-6


def main(table: Path, draws: int) -> dict[str, dict[str, list[float | None]]]:
    """Every peer that is there."""
    with table.open() as file:
        rows = list(csv.DictReader(file))
    found = {}
    for name, asked in (
        ("OpenDP", opendp),
        ("diffprivlib", diffprivlib),
        ("SmartNoise", smartnoise),
        ("Tumult", tumult),
    ):
        with contextlib.suppress(ImportError, TypeError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[name] = asked(rows, draws)
    return found


def rms(draw: Draw, truth: float, draws: int) -> list[float | None]:
    """The root of the mean squared error."""
    return [math.sqrt(sum((draw() - truth) ** 2 for _ in range(draws)) / draws), None]


def truth(rows: list[Any]) -> dict[str, float]:
    """What is asked for."""
    ages = [float(row["age"]) for row in rows]
    incomes = sorted(float(row["income"]) for row in rows)
    number, mean = len(rows), sum(ages) / len(ages)

    def quantile(share: float) -> float:
        place = share * (number - 1)
        low = int(place)
        return incomes[low] + (incomes[min(low + 1, number - 1)] - incomes[low]) * (place - low)

    return {
        "COUNT": number,
        "SUM income": sum(incomes),
        "AVG age": mean,
        "AVG income": sum(incomes) / number,
        "VAR age": sum((age - mean) ** 2 for age in ages) / number,
        "median income": quantile(0.5),
        "90 % of income": quantile(0.9),
    }


def measured(asked: Mapping[str, Draw], rows: list[Any], draws: int) -> dict[str, list[float | None]]:
    true = truth(rows)
    return {name: rms(draw, true[name], draws) for name, draw in asked.items()}


def opendp(rows: list[Any], draws: int) -> dict[str, list[float | None]]:
    """Its own measurements, put together as its guide does: a mean is a sum and a count of half of ε."""
    dp = importlib.import_module("opendp.prelude")
    dp.enable_features("contrib")
    ages, incomes = [float(row["age"]) for row in rows], [float(row["income"]) for row in rows]
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()

    def total(bounds: tuple[float, float], epsilon: float) -> Any:
        chain = space >> dp.t.then_clamp(bounds) >> dp.t.then_sum()
        return chain >> dp.m.then_laplace(max(map(abs, bounds)) / epsilon)

    def count(epsilon: float) -> Any:
        return space >> dp.t.then_count() >> dp.m.then_laplace(1 / epsilon)

    def mean(values: list[float], bounds: tuple[float, float]) -> Draw:
        sums, counts = total(bounds, 0.5), count(0.5)
        return lambda: sums(values) / max(1, counts(values))

    def quantile(share: float) -> Draw:
        candidates = [step * 500_000 / 2**14 for step in range(2**14)]
        scores = space >> dp.t.then_quantile_score_candidates(candidates, share)
        loss = (scores >> dp.m.then_noisy_max(dp.max_divergence(), scale=1.0, negate=True)).map(1)
        one = scores >> dp.m.then_noisy_max(dp.max_divergence(), scale=loss, negate=True)  # ε of 1
        return lambda: candidates[one(incomes)]

    everything, counted = total(INCOME, 1.0), count(1.0)
    found = measured(
        {
            "COUNT": lambda: counted(ages),
            "SUM income": lambda: everything(incomes),
            "AVG age": mean(ages, AGE),
            "AVG income": mean(incomes, INCOME),
        },
        rows,
        draws,
    )
    with contextlib.suppress(Exception):  # names differ between versions
        found |= measured({"median income": quantile(0.5), "90 % of income": quantile(0.9)}, rows, draws)
    with contextlib.suppress(Exception):
        found["groups"] = _threshold(dp, Counter(row["town"] for row in rows), draws)
    return found


def _threshold(dp: Any, towns: Mapping[str, int], draws: int) -> list[float | None]:
    space = (
        dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
        dp.l01inf_distance(dp.absolute_distance(T=int)),
    )
    at = next(
        value
        for value in range(2, 200)
        if (space >> dp.m.then_laplace_threshold(scale=1.0, threshold=value)).map((1, 1, 1))[1] <= DELTA
    )
    one = space >> dp.m.then_laplace_threshold(scale=1.0, threshold=at)
    answers = [one(dict(towns)) for _ in range(draws)]
    off = [(value - towns[town]) ** 2 for answer in answers for town, value in answer.items()]
    return [math.sqrt(sum(off) / max(1, len(off))), sum(map(len, answers)) / draws]


def diffprivlib(rows: list[Any], draws: int) -> dict[str, list[float | None]]:
    """Its tools take the number of rows for public, so means and variances are put together of private parts.

    Its quantiles need no number of rows. Its count knows that there are no more than the rows, so half of all
    are counted: at that bound its error would be half as large.
    """
    tools = importlib.import_module("diffprivlib.tools")
    numpy = importlib.import_module("numpy")
    ages = numpy.array([float(row["age"]) for row in rows])
    incomes = numpy.array([float(row["income"]) for row in rows])
    half = numpy.arange(len(ages)) % 2 == 0

    def total(values: Any, bounds: tuple[float, float], parts: int) -> float:
        return float(tools.sum(values, epsilon=1.0 / parts, bounds=bounds))

    def number(parts: int) -> float:  # among as many again that are none
        there = numpy.concatenate([numpy.ones(len(ages)), numpy.zeros(len(ages))])
        return max(1.0, float(tools.count_nonzero(there, epsilon=1.0 / parts)))

    def variance() -> float:
        rows = number(3)
        mean = total(ages, AGE, 3) / rows
        return total(ages**2, (0.0, AGE[1] ** 2), 3) / rows - mean**2

    return measured(
        {
            "COUNT": lambda: tools.count_nonzero(half, epsilon=1.0) + int((~half).sum()),
            "SUM income": lambda: total(incomes, INCOME, 1),
            "AVG age": lambda: total(ages, AGE, 2) / number(2),
            "AVG income": lambda: total(incomes, INCOME, 2) / number(2),
            "VAR age": variance,
            "median income": lambda: tools.quantile(incomes, 0.5, epsilon=1.0, bounds=INCOME),
            "90 % of income": lambda: tools.quantile(incomes, 0.9, epsilon=1.0, bounds=INCOME),
        },
        rows,
        draws,
    )


def smartnoise(rows: list[Any], draws: int) -> dict[str, list[float | None]]:
    """Its SQL, ε split among the columns of an answer by itself."""
    snsql = importlib.import_module("snsql")
    pandas = importlib.import_module("pandas")
    frame = pandas.DataFrame(
        {"id": [int(row["id"]) for row in rows]}
        | {name: [float(row[name]) for row in rows] for name in ("age", "income")}
        | {"town": [row["town"] for row in rows]}
    )
    columns = {
        "row_privacy": False,
        "max_ids": 1,
        "rows": len(frame),
        "id": {"name": "id", "type": "int", "private_id": True},
        "age": {"name": "age", "type": "float", "lower": AGE[0], "upper": AGE[1]},
        "income": {"name": "income", "type": "float", "lower": INCOME[0], "upper": INCOME[1]},
        "town": {"name": "town", "type": "string"},
    }

    def reader(text: str) -> Any:
        """One whose ε is so much less as it counts a question several times."""

        def priced(epsilon: float) -> Any:
            return snsql.from_df(
                frame,
                privacy=snsql.Privacy(epsilon=epsilon, delta=DELTA),
                metadata={"": {"main": {"people": columns}}},
            )

        return priced(1 / priced(1.0).get_privacy_cost(text)[0])

    def ask(what: str) -> Draw:
        text = f"SELECT {what} AS x FROM main.people"
        one = reader(text)
        return lambda: float(one.execute(text)[1][0] or 0)

    asked = {
        "COUNT": "COUNT(*)",
        "SUM income": "SUM(income)",
        "AVG age": "AVG(age)",
        "AVG income": "AVG(income)",
        "VAR age": "VAR(age)",
    }
    few = min(draws, 100)  # some 50 ms each
    found = measured({name: ask(what) for name, what in asked.items()}, rows, few)
    true = Counter(row["town"] for row in rows)
    text = "SELECT town, COUNT(*) AS n FROM main.people GROUP BY town"
    one = reader(text)
    told = [one.execute(text)[1:] for _ in range(few)]
    off = [(float(value) - true[town]) ** 2 for answer in told for town, value in answer]
    found["groups"] = [math.sqrt(sum(off) / max(1, len(off))), sum(map(len, told)) / few]
    return found


def tumult(rows: list[Any], draws: int) -> dict[str, list[float | None]]:
    """On Spark, where one evaluation takes seconds: the table stands there many times, in a group each."""
    analytics = importlib.import_module("tmlt.analytics")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # its workers need the same packages
    spark = importlib.import_module("pyspark.sql").SparkSession.builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    copies = min(draws, 200)
    keys = analytics.KeySet.from_dict({"copy": list(range(copies))})
    table = [(copy, int(row["age"]), float(row["income"])) for copy in range(copies) for row in rows]
    session = analytics.Session.from_dataframe(
        analytics.PureDPBudget(float("inf")),
        "people",
        spark.createDataFrame(table, "copy long, age long, income double"),
        protected_change=analytics.AddOneRow(),
    )
    groups = analytics.QueryBuilder("people").groupby(keys)
    age, income = (int(AGE[0]), int(AGE[1])), INCOME
    asked = {
        "COUNT": groups.count(name="x"),
        "SUM income": groups.sum("income", *income, name="x"),
        "AVG age": groups.average("age", *age, name="x"),
        "AVG income": groups.average("income", *income, name="x"),
        "VAR age": groups.variance("age", *age, name="x"),
        "median income": groups.median("income", *income, name="x"),
        "90 % of income": groups.quantile("income", 0.9, *income, name="x"),
    }
    true = truth(rows)
    found = {}
    for name, query in asked.items():
        told = [float(row["x"]) for row in session.evaluate(query, analytics.PureDPBudget(1)).collect()]
        found[name] = [math.sqrt(sum((value - true[name]) ** 2 for value in told) / len(told)), None]
    return found


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]))))
