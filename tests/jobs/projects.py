"""A small project file with a live database."""

from __future__ import annotations

from pathlib import Path

import polars as pl

ROWS = 300
PROJECT = """
[query]
folder = "database"

[query.datasets.clinic]
unit = "who"
epsilon = 4
delta = 1e-6
accounting = "approximate"

[query.datasets.clinic.tables.people]
file = "people.csv"

[query.datasets.clinic.tables.people.columns]
age = "integer 0..120"
sex = "text F|M"
"""


def project(folder: Path, text: str = PROJECT) -> Path:
    """Write it and its rows."""
    pl.DataFrame(
        {
            "who": [f"p{number}" for number in range(ROWS)],
            "age": [20 + number % 60 for number in range(ROWS)],
            "sex": ["F" if number % 3 else "M" for number in range(ROWS)],
        }
    ).write_csv(folder / "people.csv")
    place = folder / "shoal.toml"
    place.write_text(text, "utf-8")
    return place
