"""What owners are told has the form that is promised."""

import polars as pl

import shoal
from shoal.jobs.owner_schemas import OWNER

ROWS = pl.DataFrame({"zip": ["101", "102"], "ill": ["a", "b"]})


def test_documents_have_every_name_of_their_schema() -> None:
    told = {
        "table explore": shoal.explore(ROWS, quasi="zip", k=2).to_json(),
        "table diff": shoal.diff(ROWS, ROWS, quasi="zip").to_json(),
    }
    for command, document in told.items():
        assert set(OWNER[command]["required"]) <= set(document), command
