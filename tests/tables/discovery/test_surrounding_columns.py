"""A number of a person is known by what it determines; what counts alone suggest is a guess."""

from random import Random

import polars as pl

from shoal.tables.discovery.discovery import look_at
from shoal.tables.table import Table


def bills() -> pl.DataFrame:
    """Three lines on each bill, several bills of each customer; no name says so."""
    chance = Random(3)
    of = [chance.randrange(40) for _ in range(300)]
    rows = [(bill, of[bill]) for bill in range(300) for _ in range(3)]
    return pl.DataFrame(
        {
            "aaa": [str(70_000 + bill) for bill, _ in rows],
            "bbb": [str(5_000 + who * 13) for _, who in rows],
            "birth date": [f"19{50 + who}-03-0{1 + who % 9}" for _, who in rows],
            "sex": ["fm"[who % 2] for _, who in rows],
            "zip": [f"4767{who % 7}" for _, who in rows],
            "points": [str(chance.randrange(100, 300)) for _ in rows],
        }
    )


def test_what_determines_the_facts_about_people_is_their_number_and_a_part_of_it_counts_nobody() -> None:
    found = look_at(Table(bills()))
    assert {name for name, one in found.items() if one.role == "identifier"} == {"aaa", "bbb"}
    assert [name for name, one in found.items() if one.key] == ["bbb"]
    assert found["points"].role == "quasi" and found["points"].understood
    assert found["bbb"].reason == (
        "each value stands for one 'birth date' and 'sex' and 'zip' in several rows, "
        "as a number of a person does"
    )


def test_a_text_that_counts_alone_call_a_quasi_identifier_is_a_guess() -> None:
    words = pl.Series("xq", [f"Qvist{chr(97 + row % 26)}{chr(97 + row % 7)}" for row in range(900)])
    told = look_at(Table(bills().with_columns(words)))["xq"]
    assert (told.role, told.understood) == ("quasi", False)
