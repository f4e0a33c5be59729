"""What tests of `shoal query` share: a table about people and the flags that declare it."""

from __future__ import annotations

from pathlib import Path

from faces.shell import Run, patients, shoal

TABLE = ("--data", "patients=patients.csv", "--unit", "name")
DECLARED = (
    *TABLE,
    "--bounds",
    "age=0:120",
    "--keys",
    "sex=F,M",
    "--keys",
    "ill=flu,cancer,heart,hiv",
    "--rows",
    1,
)
COUNT = "SELECT COUNT(*) AS n FROM patients"
GROUPED = "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM patients GROUP BY sex"
PROJECT = """
[query]
folder = "database"

[query.datasets.clinic]
unit = "name"
epsilon = 4
delta = 1e-6
accounting = "approximate"

[query.datasets.clinic.tables.patients]
file = "patients.csv"

[query.datasets.clinic.tables.patients.columns]
age = "number 0..120"
sex = "text F|M"
ill = "text flu|cancer|heart|hiv"
zip = "text"
"""


def ask(sql: str, *words: object, epsilon: object = 1, stdin: bytes = b"") -> Run:
    """`shoal query ask … --json` about the patients."""
    return shoal("query", "ask", sql, *DECLARED, "--epsilon", epsilon, "--json", *words, stdin=stdin)


def project(rows: int = 60) -> Path:
    """A project file with a live database of the same patients."""
    Path("patients.csv").write_text(patients(rows), "utf-8")
    Path("shoal.toml").write_text(PROJECT, "utf-8")
    return Path("shoal.toml")
