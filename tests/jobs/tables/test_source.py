"""A request is settled before anything is computed."""

from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadInput, BadParameter, BadTable
from shoal.jobs.tables.checks import check_fits, check_size, check_values
from shoal.jobs.tables.decide import decided
from shoal.jobs.tables.hierarchies import given_ladders, laddered, ladders_of
from shoal.jobs.tables.requests import InspectTable, ProtectTable, VerifyTable
from shoal.jobs.tables.source import advice, frame_of, manifest_of, models_of, read_table, with_roles
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.models.confidence_bounding import ConfidenceBounding
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
    return decided(TABLE, job, [], (), blind=False).table


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


def test_every_quasi_identifier_gets_a_ladder_and_a_sensitive_column_only_a_given_one() -> None:
    job = ProtectTable(data=FRAME, identifier=("name",), quasi=("zip", "age"), sensitive=("ill",))
    table = laddered(_settled(job), job)
    assert set(table.hierarchies) == {"zip", "age"}
    taxonomy = {"ill": {"light": ["flu"], "heavy": ["heart"]}}
    job = ProtectTable(data=FRAME, quasi=("zip",), sensitive=("ill",), hierarchy=taxonomy)
    assert laddered(_settled(job), job).hierarchies["ill"].height == 2


def test_a_hierarchy_for_nobody_is_refused() -> None:
    with pytest.raises(BadParameter, match="'agee'"):
        laddered(TABLE.with_roles(quasi=("age",)), ProtectTable(data=FRAME, hierarchy={"agee": "mask()"}))
    with pytest.raises(BadParameter, match="'agee'"):
        with_roles(TABLE, VerifyTable(data=FRAME, quasi=("age",), hierarchy={"agee": "mask()"}), None)


def test_a_class_column_must_be_there() -> None:
    with pytest.raises(BadParameter, match="no class column 'x'"):
        ladders_of(TABLE, ProtectTable(data=FRAME), ("age",), "x")


def test_the_tables_own_ladder_comes_before_a_suggestion() -> None:
    ladder = Hierarchy.of_levels([["flu", "heart"]])
    table = TABLE.with_hierarchies({"ill": ladder})
    assert ladders_of(table, ProtectTable(data=FRAME), ("ill",))["ill"].names == ladder.names


def test_a_k_beyond_the_table_is_refused_for_a_release_only() -> None:
    check_size(KAnonymity(8), TABLE)
    with pytest.raises(BadParameter, match="k=9 is larger than the table, which has 8 rows"):
        check_size(KAnonymity(9), TABLE)
    check_fits(KAnonymity(9), TABLE)


def test_a_model_of_values_needs_a_sensitive_column() -> None:
    with pytest.raises(BadParameter, match="--sensitive"):
        check_fits(LDiversity(2), TABLE)
    with pytest.raises(BadParameter, match="'zip'"):
        check_fits(LDiversity(2, column="zip"), TABLE.with_roles(sensitive=("ill",)))


def test_the_advice_can_be_pasted() -> None:
    assert advice(TABLE) == "the columns suggest --quasi zip,age --sensitive ill"
    odd = Table(FRAME.rename({"zip": "zip, code"}))
    assert advice(odd) == 'the columns suggest --quasi "zip, code",age --sensitive ill'


def test_identifiers_that_are_gone_are_no_fault_of_a_release() -> None:
    job = VerifyTable(data=FRAME, identifier=("ssn", "name"), quasi=("zip",))
    assert with_roles(TABLE, job, None).identifier == ("name",)


def test_ladders_for_another_table_are_given_known_or_suggested() -> None:
    released = Table(pl.DataFrame({"age": ["[20, 40)", "[40, 60)"], "zip": ["*", "*"]}), quasi=("age", "zip"))
    found = given_ladders(VerifyTable(data=FRAME, hierarchy={"age": "interval(width=10)"}), released, FRAME)
    assert found["age"].label("29", 2) == "[20, 40)"
    assert found["zip"].label("47677", found["zip"].height) == "*"
    own = released.with_hierarchies({"age": Hierarchy.of_levels([["x"]])})
    assert given_ladders(VerifyTable(data=FRAME), own, FRAME)["age"].leaves == ("x",)
    assert given_ladders(VerifyTable(data=FRAME), released, None) == {}
    assert given_ladders(VerifyTable(data=FRAME), released, FRAME.select("name")) == {}


def test_a_table_comes_as_it_is_and_has_no_manifest() -> None:
    assert read_table(InspectTable(data=TABLE)) is TABLE
    assert manifest_of(InspectTable(data=TABLE)) is None
    assert manifest_of(InspectTable(data="-")) is None
    assert manifest_of(InspectTable(data=Path("nowhere.csv"))) is None


def test_what_is_no_table_is_refused() -> None:
    for wrong in (5, [1, 2], {"a": 1}, object()):
        with pytest.raises(BadInput):
            read_table(InspectTable(data=wrong))


def test_a_value_that_nobody_has_is_not_protected_in_silence() -> None:
    table = TABLE.with_roles(quasi=["zip"], sensitive=["ill"])
    check_values(ConfidenceBounding(0.5, ("flu", "heart")), table)
    check_values(KAnonymity(2), table)
    message = "names the value 'fluu' in values, which ill does not have; it has flu, heart"
    with pytest.raises(BadParameter, match=message):
        check_values(ConfidenceBounding(0.5, ("heart", "fluu")), table)
    with pytest.raises(BadParameter, match="names the value 'fluu'"):
        check_values(ConfidenceBounding(0.5, ("fluu",), "ill"), table)
