"""Who has a released row to themselves."""

import datetime

import polars as pl

from shoal.tables.attacker_reasoning.unique_links import Links, cells
from shoal.tables.table import Table

TABLE = Table(
    pl.DataFrame({"zip": ["1**", "2**", "2**"], "ill": ["flu", "gout", "hiv"]}),
    quasi=("zip",),
    sensitive=("ill",),
)
PEOPLE = pl.DataFrame({"name": ["Ann", "Bob", "Cid"], "zip": ["111", "211", "999"]})


def test_a_link_is_a_person_and_a_row() -> None:
    links = Links.of(PEOPLE, TABLE, ["zip"], readable=False)
    assert (links.person.tolist(), links.row.tolist(), links.confidence.tolist()) == ([0], [0], [1.0])
    assert links.candidates.tolist() == [1, 2, 0]


def test_the_original_confirms_a_link_by_name_and_by_what_the_row_says() -> None:
    links = Links.of(PEOPLE, TABLE, ["zip"], readable=False)

    def right(**truth: str) -> int:
        return links.right(PEOPLE, TABLE, pl.DataFrame(truth), ["name"])

    assert right(name="Ann", zip="111", ill="flu") == 1
    assert right(name="Ann", zip="111", ill="hiv") == right(name="Ann", zip="211", ill="flu") == 0
    assert right(name="Eve", zip="111", ill="flu") == 0


def test_cells_are_json() -> None:
    frame = pl.DataFrame({"a": [float("nan")], "b": [datetime.date(2020, 1, 2)], "c": [None], "d": ["x"]})
    assert cells(frame, 0, frame.columns) == {"a": None, "b": "2020-01-02", "c": None, "d": "x"}
