"""T1 of the mission: distinction and separation, to the digit, through the measures and through inspect."""

import polars as pl
import pytest

from shoal.tables.discovery.discovery import inspect
from shoal.tables.measures.distinction import Distinction
from shoal.tables.measures.separation import Separation
from shoal.tables.table import Table

FIVE = pl.DataFrame(
    [(20, "F", "CA"), (30, "F", "CA"), (40, "F", "TX"), (20, "M", "NY"), (40, "M", "CA")],
    schema=["age", "sex", "state"],
    orient="row",
)
ELEVEN = pl.DataFrame(
    [
        ("Gill Stringer", "F", 1995, 2046059),
        ("Freda Shields", "F", 1995, 596612),
        ("John Smith", "M", 1979, 2046059),
        ("Hercules Green", "M", 1979, 2241497),
        ("Douglas Henry", "M", 1979, 544981),
        ("Alice Smith", "F", 1987, 392537),
        ("Beverly McCulsky", "F", 1984, 293512),
        ("Fred Thompson", "M", 1987, 725765),
        ("Alan Patel", "M", 1982, 716839),
        ("Bill Nash", "M", 1995, 363766),
        ("Albert Blackwell", "M", 1998, 544981),
    ],
    schema=["Name", "Gender", "YOB", "DIN"],
    orient="row",
)


@pytest.mark.parametrize(
    ("columns", "distinction", "separation"), [(("age",), 0.6, 0.8), (("sex", "state"), 0.8, 0.9)]
)
def test_five_rows(columns: tuple[str, ...], distinction: float, separation: float) -> None:
    assert Distinction(columns).measure(FIVE) == distinction
    assert Separation(columns).measure(FIVE) == separation


@pytest.mark.parametrize(
    ("columns", "distinction", "separation"),
    [
        (("Gender",), "18.18182%", "50.90909%"),
        (("YOB",), "54.54545%", "87.27273%"),
        (("Gender", "YOB"), "72.72727%", "92.72727%"),
    ],
)
def test_eleven_rows_of_seed_001(columns: tuple[str, ...], distinction: str, separation: str) -> None:
    assert f"{Distinction(columns).measure(ELEVEN):.5%}" == distinction
    assert f"{Separation(columns).measure(ELEVEN):.5%}" == separation
    found = {report.columns: report for report in inspect(Table(ELEVEN)).combinations}[columns]
    assert f"{found.distinction:.5%}" == distinction
    assert f"{found.separation:.5%}" == separation


def test_the_roles_of_seed_001_are_suggested() -> None:
    roles = {name: report.role for name, report in inspect(Table(ELEVEN)).columns.items()}
    assert roles == {"Name": "identifier", "Gender": "quasi", "YOB": "quasi", "DIN": "sensitive"}
