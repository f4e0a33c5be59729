"""A request is settled before anything is computed."""

from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadInput, BadTable
from shoal.jobs.tables.decide_columns import decide_columns
from shoal.jobs.tables.requests import InspectTable, ProtectTable, VerifyTable
from shoal.jobs.tables.source import advice, frame_of, manifest_of, models_of, read_table, with_roles
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.table import Table

FRAME = pl.DataFrame(
    {
        "name": [f"Person {row}" for row in range(8)],
        "zip": ["47677", "47602", "47678", "47905", "47909", "47906", "47605", "47673"],
        "age": [29, 22, 27, 43, 52, 47, 30, 36],
        "ill": ["flu", "heart"] * 4,
    }
)
TABLE = Table(FRAME)


def _settled(job: ProtectTable) -> Table:
    return decide_columns(TABLE, job, [], (), blind=False).table


def test_models_come_as_spellings_objects_one_or_several() -> None:
    assert models_of("k-anonymity(k=2)", None) == [KAnonymity(2)]
    assert models_of(KAnonymity(2), None) == [KAnonymity(2)]
    assert models_of([KAnonymity(2), "l-diversity(l=3)"], 5) == [KAnonymity(5), KAnonymity(2), LDiversity(3)]
    assert models_of((), None) == []


def test_a_length_of_time_becomes_text() -> None:
    frame = FRAME.with_columns(stay=pl.duration(days=pl.col("age")))
    found = frame_of(frame, InspectTable(data=frame))
    assert found["stay"].to_list()[0] == "P29D"
    assert frame.schema["stay"] == pl.Duration  # the user's own is left alone


@pytest.mark.parametrize("name", ["*", "^a.*$"])
def test_a_name_that_polars_takes_for_a_pattern_is_refused(name: str) -> None:
    frame = pl.DataFrame({name: [1], "a": [2]})
    with pytest.raises(BadTable, match="rename it"):
        frame_of(frame, InspectTable(data=frame))


def test_the_advice_can_be_pasted() -> None:
    assert advice(TABLE) == "the columns suggest --quasi zip,age --sensitive ill"
    odd = Table(FRAME.rename({"zip": "zip, code"}))
    assert advice(odd) == 'the columns suggest --quasi "zip, code",age --sensitive ill'


def test_identifiers_that_are_gone_are_no_fault_of_a_release() -> None:
    job = VerifyTable(data=FRAME, identifier=("ssn", "name"), quasi=("zip",))
    assert with_roles(TABLE, job, None).identifier == ("name",)


def test_a_table_comes_as_it_is_and_has_no_manifest() -> None:
    assert read_table(InspectTable(data=TABLE)) is TABLE
    assert manifest_of(InspectTable(data=TABLE)) is None
    assert manifest_of(InspectTable(data="-")) is None
    assert manifest_of(InspectTable(data=Path("nowhere.csv"))) is None


def test_what_is_no_table_is_refused() -> None:
    for wrong in (5, [1, 2], {"a": 1}, object()):
        with pytest.raises(BadInput):
            read_table(InspectTable(data=wrong))
