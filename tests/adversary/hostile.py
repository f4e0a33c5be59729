"""Questions that once told, or were made to tell, about one person; whoever finds another one adds it.

They are about the world of `hostile_dataset`: people with a sensitive `hiv`, their visits, and public wards.
"""

# ruff: noqa: E501

from __future__ import annotations

from fractions import Fraction

import polars as pl

from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table

PEOPLE = Table(
    "people",
    (
        Column("pid"),
        Column("hiv", keys=("yes", "no")),
        Column("age", "integer", 0, 120),
        Column("income", "number", 0, 1e6),
        Column("raw", "number"),
        Column("big", "integer"),
        Column("name"),
        Column("born", "date"),
    ),
    unit="pid",
)
VISITS = Table(
    "visits",
    (Column("pid"), Column("ward", "integer"), Column("cost", "number", -50, 200)),
    unit="pid",
    rows=5,
)
WARDS = Table("wards", (Column("ward", "integer"), Column("label")))


def hostile_dataset() -> Dataset:
    return Dataset(
        "hostile", (PEOPLE, VISITS, WARDS), Budget(Fraction(10**5), Fraction(1, 2)), accounting="approximate",
        each=Budget(Fraction(2_000), Fraction(1, 4)),
    )  # fmt: skip


def rows(
    hiv: str | None, raw: float | None = 1.0, visits: int = 1, number: int = 30
) -> dict[str, pl.DataFrame]:
    """Everybody alike but P1, of whom the state, a raw number and the number of visits are to be found out."""
    pids = [f"P{place}" for place in range(number)]
    people = pl.DataFrame(
        {
            "pid": pids,
            "hiv": [hiv if pid == "P1" else "no" for pid in pids],
            "age": [20 + place for place in range(number)],
            "income": [1000.0 * place for place in range(number)],
            "raw": [raw if pid == "P1" else 1.0 for pid in pids],
            "big": [2**62] * number,
            "name": ["x" * 10_000 if pid == "P1" and hiv == "yes" else "Ulm" for pid in pids],
            "born": ["1980-01-01"] * number,
        },
        schema_overrides={"raw": pl.Float64, "hiv": pl.String},
    )
    stays = ["P1"] * visits + ["P2", "P3"]
    seen = pl.DataFrame({"pid": stays, "ward": [1] * len(stays), "cost": [10.0] * len(stays)})
    return {
        "people": people,
        "visits": seen,
        "wards": pl.DataFrame({"ward": [1, 2], "label": ["north", "south"]}),
    }


_X = "pid = 'P1' AND hiv = 'yes'"
HOSTILE = [
    # Issue 11, item 1: the division by the grid underflows for one person alone.
    *(f"SELECT {name}(CASE WHEN {_X} THEN 5e-324 ELSE 1e12 END) FROM people" for name in
      ("SUM", "AVG", "MEDIAN", "MAX", "MIN", "VAR_POP", "VAR_SAMP", "STDDEV", "STDDEV_POP")),
    *(f"SELECT {name}(CASE WHEN {_X} THEN 1e-308 ELSE 1e15 END) FROM people" for name in ("SUM", "AVG", "MEDIAN")),
    f"SELECT QUANTILE_CONT(CASE WHEN {_X} THEN 5e-324 ELSE 1e12 END, 0.9) FROM people",
    f"SELECT PERCENTILE_CONT(0.1) WITHIN GROUP (ORDER BY CASE WHEN {_X} THEN 5e-324 ELSE 1e12 END) FROM people",
    f"SELECT SUM(1e12) FILTER (WHERE {_X}), SUM(CASE WHEN {_X} THEN -5e-324 ELSE 1e12 END) FILTER (WHERE age > 1) FROM people",
    f"SELECT hiv, SUM(CASE WHEN {_X} THEN 5e-324 ELSE 1e12 END) FROM people GROUP BY hiv",
    f"SELECT SUM(s) FROM (SELECT pid, AVG(CASE WHEN {_X} THEN 5e-324 ELSE 1e12 END) AS s FROM people GROUP BY pid) t",
    f"SELECT SUM(s) FROM (SELECT pid, MAX(CASE WHEN {_X} THEN 5e-324 ELSE 1e12 END) AS s FROM people GROUP BY pid) t",
    # The same without a written extreme: the row itself holds a denormal.
    "SELECT AVG(LEAST(GREATEST(raw, 0), 1e15)) FROM people WHERE pid = 'P1'",
    "SELECT MIN(- LEAST(GREATEST(raw, 0.0), 1e15)) FROM people",
    "SELECT SUM(ABS(LEAST(GREATEST(raw, -1e15), 1e15))) FROM people",
    "SELECT SUM(s) FROM (SELECT pid, SUM(LEAST(GREATEST(raw, 0), 1e15)) AS s FROM people GROUP BY pid) t",
    # Grids below all doubles, sums beyond all doubles.
    "SELECT SUM(5e-324), AVG(5e-324), MAX(5e-324) FROM people",
    f"SELECT SUM(CASE WHEN {_X} THEN 5e-324 ELSE 0 END) FROM people",
    f"SELECT VAR_POP(CASE WHEN {_X} THEN 1e300 ELSE 0 END) FROM people",
    f"SELECT VAR_SAMP(CASE WHEN {_X} THEN 1e300 ELSE 1e300 END) FROM people",
    f"SELECT SUM(CASE WHEN {_X} THEN 1e308 ELSE -1e308 END) FROM people",
    # Narrow bounds far from nought: so fine a grid that a step has no number of 64 bits.
    "SELECT MIN(LEAST(GREATEST(raw, 200.0), 200.00000000000003)) FROM people WHERE pid = 'P1' AND hiv = 'yes'",
    "SELECT MEDIAN(2 / LEAST(GREATEST(LEAST(raw, 0.001), 0.01), 0.010000000000000002)) FROM people",
    # Casts, dates, texts and domains that only one person's row would break.
    f"SELECT COUNT(*) FROM people WHERE CAST(CASE WHEN {_X} THEN 'x' ELSE '1' END AS BIGINT) = 1",
    f"SELECT COUNT(*) FROM people WHERE CAST(CASE WHEN {_X} THEN '9999-99-99' ELSE '2000-01-01' END AS DATE) > born",
    f"SELECT SUM(1 / CASE WHEN {_X} THEN 0 ELSE 1 END) FROM people",
    f"SELECT SUM(age % CASE WHEN {_X} THEN 0 ELSE 1 END), SUM(age // CASE WHEN {_X} THEN 0 ELSE 1 END) FROM people",
    f"SELECT SUM(LN(CASE WHEN {_X} THEN 5e-324 ELSE 1 END)) FROM people",
    f"SELECT SUM(SQRT(CASE WHEN {_X} THEN 5e-324 ELSE 1 END)) FROM people",
    f"SELECT SUM(EXP(CASE WHEN {_X} THEN -600 ELSE 30 END)) FROM people",
    f"SELECT SUM(POWER(CASE WHEN {_X} THEN 1e-30 ELSE 1 END, 10)) FROM people",
    f"SELECT SUM(CASE WHEN {_X} THEN 1e-200 ELSE 1 END * CASE WHEN {_X} THEN 1e-200 ELSE 1 END) FROM people",
    f"SELECT SUM(LENGTH(CASE WHEN {_X} THEN name || name || name ELSE '' END)) FROM people",
    "SELECT COUNT(*) FROM people WHERE UPPER(name) LIKE '%X%X%X%X%' AND name LIKE '%x%x%x%x%y'",
    "SELECT name, COUNT(*) FROM people GROUP BY name",
    f"SELECT CASE WHEN {_X} THEN name END AS k, COUNT(*) FROM people GROUP BY k",
    "SELECT COUNT(DISTINCT big % 7), COUNT(DISTINCT big) FROM people",
    # Issue 11, items 2 and 3: rows that multiply for one person alone.
    "SELECT COUNT(*) FROM visits a JOIN visits b ON a.pid = b.pid JOIN visits c ON a.pid = c.pid JOIN visits d ON a.pid = d.pid WHERE a.pid = 'P1'",
    f"SELECT COUNT(*) FROM people p JOIN visits a ON p.pid = a.pid JOIN visits b ON a.pid = b.pid AND p.{_X.split(' AND ')[1]}",
    "SELECT COUNT(*) FROM people p LEFT JOIN wards w ON w.ward = CASE WHEN p.pid = 'P1' AND p.hiv = 'yes' THEN 1 END",
    "SELECT w.label, COUNT(*) FROM visits v JOIN wards w ON v.ward = w.ward WHERE v.pid = 'P1' GROUP BY w.label",
]  # fmt: skip
