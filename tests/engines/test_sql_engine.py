"""What every engine does the same: types, NULLs, odd names, joins with lent rows, whole new tables."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from sqlglot import exp

from engine_places import ODD, Place
from shoal.core.errors import BadInput, BadParameter, BadTable
from shoal.engines.address import Address, address_of
from shoal.engines.sql_engine import SqlEngine, column, connect, one_sentence


def everything(engine: SqlEngine, table: exp.Table) -> pl.DataFrame:
    return engine.frame(exp.select("*").from_(table.copy()))


def joined(engine: SqlEngine, table: exp.Table) -> exp.Select:
    """Every row with a label that was lent for it, found by all of its values."""
    lent = engine.lend(ODD.with_row_index("number").with_columns(label=pl.lit("it's")), table)
    same = [exp.NullSafeEQ(this=column(name, "r"), expression=column(name, "m")) for name in ODD.columns]
    return (
        exp.select(*(column(name, "r") for name in ODD.columns), column("number", "m"), column("label", "m"))
        .from_(exp.alias_(table.copy(), "r", table=True))
        .join(exp.alias_(lent, "m", table=True), on=exp.and_(*same))
    )


def test_rows_come_as_they_are_and_new_tables_are_whole_or_not_there(place: Place) -> None:
    source, target, spoiled = place.source(ODD), place.target(), place.target()
    with connect([source], target) as engine:
        table = engine.table(source)
        assert dict(engine.schema(table)) == dict(ODD.schema)
        rows = everything(engine, table)
        assert_frame_equal(rows, ODD, check_row_order=False)
        tree = joined(engine, table)
        with engine.create(target, tree) as written:
            back = written.engine.frame(exp.select("*").from_(written.table))
            assert_frame_equal(back.sort("number").select(ODD.columns), ODD)
            assert back["label"].to_list() == ["it's"] * ODD.height
        with pytest.raises(BadParameter, match="already; choose a new name"):
            engine.check_new(target)
    with connect([target]) as engine:
        assert everything(engine, engine.table(target)).height == ODD.height
    with connect([source], spoiled) as engine:
        with pytest.raises(KeyError), engine.create(spoiled, joined(engine, engine.table(source))):
            raise KeyError("a check that failed")
        engine.check_new(spoiled)
    with connect([source], spoiled) as engine:
        engine.check_new(spoiled)


def test_what_is_kept_can_be_read_again_and_is_gone_with_the_connection(place: Place) -> None:
    source = place.source(pl.DataFrame({"whole": [1, 2, 3]}))
    with connect([source]) as engine:
        few = exp.select("*").from_(engine.table(source)).where(exp.GT(this=column("whole"), expression="1"))
        kept = engine.keep(few)
        assert sorted(everything(engine, kept)["whole"]) == [2, 3]
    with connect([source]) as engine, pytest.raises(BadTable):
        everything(engine, kept)


def test_a_table_that_is_not_there_is_one_sentence(place: Place) -> None:
    source, missing = place.source(ODD), place.target()
    with pytest.raises(BadInput) as caught, connect([source]) as engine:
        if place.kind == "folder":
            connect([missing])
        engine.table(missing)
    assert "\n" not in str(caught.value)


def test_a_column_that_is_not_there_is_one_sentence(place: Place) -> None:
    source = place.source(ODD)
    with connect([source]) as engine, pytest.raises(BadTable) as caught:
        engine.frame(exp.select(column("nobody")).from_(engine.table(source)))
    assert "\n" not in str(caught.value)


def test_two_engines_at_once_are_refused() -> None:
    with pytest.raises(BadParameter, match="different engines"):
        connect([Address("duckdb", "a", ("t",)), Address("spark", "", ("t",))])


def test_what_is_read_is_never_written() -> None:
    address = address_of("duckdb:///a.duckdb#t")
    assert address is not None
    with pytest.raises(BadParameter, match="choose a new table"):
        connect([address], address)


def test_complaints_lose_their_passwords() -> None:
    with pytest.raises(BadTable, match=r"me:\*\*\*@host") as caught, one_sentence("no", "yes"):
        raise OSError("cannot reach postgresql://me:geheim@host/db\nand more")
    assert "geheim" not in str(caught.value)
