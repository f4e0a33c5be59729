"""Tables of made-up people in the shape of Adult: nine quasi-identifiers, a sensitive column, hierarchies.

Values, their frequencies and the heights of the hierarchies are like Adult's. One hidden trait moves all
columns of a person, so that they are correlated. The same number of rows always gives the same file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
import polars as pl
from numpy.typing import NDArray

DATA = Path(__file__).with_name(".data")
SEED = 20_070_416
CHUNK = 1_000_000

# Per column how strongly the hidden trait moves it, and its values, one group per line: the labels above
# them from low to high, then value=weight.
TREES: Mapping[str, tuple[float, str]] = {
    "sex": (0.5, "| Male=675 Female=325"),
    "race": (0.35, "| White=860 Black=93 Asian-Pac-Islander=30 Amer-Indian-Eskimo=9 Other=8"),
    "marital-status": (
        0.85,
        """spouse present | Married-civ-spouse=466 Married-AF-spouse=1
        spouse not present | Never-married=322 Divorced=140 Separated=31 Widowed=27
        spouse not present | Married-spouse-absent=13""",
    ),
    "education": (
        0.8,
        """Graduate, Higher education | Doctorate=12 Masters=54
        Undergraduate, Higher education | Bachelors=167 Some-college=221
        Professional, Higher education | Prof-school=18 Assoc-acdm=33 Assoc-voc=43
        High school, Secondary education | HS-grad=326 12th=13 11th=35 10th=27 9th=15
        Primary, Primary education | 7th-8th=18 5th-6th=10 1st-4th=5 Preschool=2""",
    ),
    "native-country": (
        0.35,
        """North America | United-States=9118 Canada=36 Puerto-Rico=36 Outlying-US=5
        Latin America | Mexico=202 El-Salvador=33 Cuba=31 Jamaica=27 Dominican-Republic=22 Guatemala=21
        Latin America | Columbia=19 Haiti=14 Nicaragua=11 Peru=10 Ecuador=9 Trinadad&Tobago=6 Honduras=4
        Europe | Germany=42 England=29 Italy=23 Poland=19 Portugal=11 Greece=10 France=9 Ireland=8
        Europe | Yugoslavia=5 Hungary=4 Scotland=4 Holand-Netherlands=1
        Asia | Philippines=62 India=33 South=24 China=23 Vietnam=21 Japan=20 Taiwan=14 Iran=14 Hong=6
        Asia | Cambodia=6 Thailand=6 Laos=6""",
    ),
    "workclass": (
        0.5,
        """Non-Government | Private=739 Self-emp-not-inc=83 Self-emp-inc=36
        Government | Local-gov=68 State-gov=42 Federal-gov=31
        Unemployed | Without-pay=1 Never-worked=1""",
    ),
    "occupation": (
        0.8,
        """Nontechnical | Exec-managerial=133 Sales=119 Adm-clerical=123 Handlers-cleaners=45
        Technical | Prof-specialty=134 Craft-repair=134 Machine-op-inspct=65 Tech-support=30
        Technical | Transport-moving=52 Farming-fishing=33
        Other | Other-service=106 Protective-serv=21 Priv-house-serv=5 Armed-Forces=1""",
    ),
    "salary-class": (0.9, "| >50K=249 <=50K=751"),
    "diagnosis": (
        0.4,
        """| Hypertension=210 Diabetes=120 Asthma=95 Depression=90 Arthritis=85 Migraine=70 Anaemia=60
        | Gastritis=55 Bronchitis=50 Influenza=45 Cancer=40 Stroke=25 Hepatitis=20 Epilepsy=15 HIV=10
        | Tuberculosis=10""",
    ),
}
AGE_TRAIT = -0.65
AGES = {age: 100 * NormalDist(37, 15).pdf(age) for age in range(17, 91)}

QUASI = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
SENSITIVE = "diagnosis"


@dataclass(frozen=True)
class People:
    """A file with a table, and the files with its hierarchies."""

    table: Path
    hierarchies: Mapping[str, Path]
    generated: bool


def people(rows: int) -> People:
    """The generated table of this many rows, made once."""
    DATA.mkdir(exist_ok=True)
    table = DATA / f"people-{rows}.csv"
    if not table.exists():
        _write(table, rows)
    return People(table, {column: _write_hierarchy(column) for column in QUASI}, generated=True)


def _write(table: Path, rows: int) -> None:
    unfinished = table.with_suffix(".tmp")
    with unfinished.open("wb") as stream:
        for begin in range(0, rows, CHUNK):
            _chunk(begin, min(CHUNK, rows - begin)).write_csv(stream, include_header=begin == 0)
    unfinished.replace(table)


def _chunk(begin: int, rows: int) -> pl.DataFrame:
    chance = np.random.default_rng([SEED, begin])
    trait = chance.standard_normal(rows)
    columns = []
    for column in (*QUASI, SENSITIVE):
        pull, weights = _weights(column)
        own = chance.standard_normal(rows)
        place = np.searchsorted(_borders(list(weights.values())), pull * trait + (1 - pull**2) ** 0.5 * own)
        columns.append(pl.Series(list(weights), dtype=pl.String).gather(place).alias(column))
    return pl.DataFrame(columns)


def _weights(column: str) -> tuple[float, dict[str, float]]:
    if column == "age":
        return AGE_TRAIT, {str(age): weight for age, weight in AGES.items()}
    pull, tree = TREES[column]
    return pull, {value: weight for _, values in _groups(tree) for value, weight in values.items()}


def _groups(tree: str) -> list[tuple[list[str], dict[str, float]]]:
    groups = []
    for line in tree.splitlines():
        labels, _, members = line.partition("|")
        pairs = (member.rsplit("=", 1) for member in members.split())
        above = [label.strip() for label in labels.split(",") if label.strip()]
        groups.append((above, {value: float(weight) for value, weight in pairs}))
    return groups


def _borders(weights: list[float]) -> NDArray[np.float64]:
    """Where a standard normal number has to be cut to give each value its share."""
    upto = np.cumsum(weights) / np.sum(weights)
    return np.array([NormalDist().inv_cdf(float(share)) for share in upto[:-1]])


def _write_hierarchy(column: str) -> Path:
    path = DATA / f"{column}.csv"
    if column == "age":
        lines = [
            ";".join([str(age), *(f"{age // w * w}-{age // w * w + w - 1}" for w in (5, 10, 20)), "*"])
            for age in range(1, 101)
        ]
    else:
        groups = _groups(TREES[column][1])
        lines = [";".join([value, *above, "*"]) for above, values in groups for value in values]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def adult(rows: int | None = None) -> People:
    """Adult from `shared/data/adult` beside this repository; without it, or with `rows`, a generated one."""
    root = Path(__file__).parents[1]
    for folder in (root, *root.parents):
        found = folder / "shared" / "data" / "adult"
        if rows is None and (found / "adult.csv").is_file():
            hierarchies = {column: found / "hierarchies" / f"{column}.csv" for column in QUASI}
            return People(found / "adult.csv", hierarchies, generated=False)
    return people(rows or 30_162)
