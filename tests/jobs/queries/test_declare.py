"""A declaration in a few words."""

from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.queries.declare import DELTA, Declared, Given, declare, epsilon_from, figure, pairs_of
from shoal.queries.declaration.declaration import Budget, Link

FRAME = pl.DataFrame({"who": [1, 2, 3], "age": [30, 40, 50], "sex": ["F", "M", "F"]})


def given(**more: Any) -> Given:
    return Given(**{"data": {"people": FRAME}, "unit": "who", **more})


def declared(**more: Any) -> Declared:
    return declare(given(**more))


def test_bounds_and_keys_are_texts_or_values() -> None:
    for bounds, keys in (("0:120", "F,M"), ((0, 120), ["F", "M"])):
        (table,) = declared(bounds={"age": bounds}, keys={"sex": keys}, rows=3, groups=2).tables
        assert (table.unit, table.rows, table.groups) == ("who", 3, 2)
        assert (table.column("age").low, table.column("age").high) == (0, 120)
        assert table.column("sex").keys == ("F", "M")


def test_kinds_come_from_the_types_of_a_file_and_never_from_its_values(tmp_path: Path) -> None:
    frame = FRAME.with_columns(pl.lit(date(2020, 1, 1)).alias("day"), pl.lit(True).alias("ill"))
    frame.write_parquet(tmp_path / "people.parquet")
    frame.write_csv(tmp_path / "people.csv")
    (typed,) = declared(data={"people": tmp_path / "people.parquet"}).tables
    assert [column.kind for column in typed.columns] == ["integer", "integer", "text", "date", "boolean"]
    (text,) = declared(data={"people": tmp_path / "people.csv"}, bounds={"age": "0:120"}).tables
    assert [column.kind for column in text.columns] == ["text", "number", "text", "text", "text"]
    (told,) = declared(data={"people": tmp_path / "people.csv"}, kind={"age": "integer"}).tables
    assert told.column("age").kind == "integer"
    assert all(not column.bounded and column.keys is None for column in (*typed.columns, *told.columns))


def test_a_word_with_the_table_before_it_speaks_of_that_table_only() -> None:
    made = declared(data={"a": FRAME, "b": FRAME}, bounds={"age": "0:120", "b.AGE": "0:20"})
    assert [table.column("age").high for table in made.tables] == [120, 20]


def test_public_tables_have_no_unit_and_no_limit_of_rows() -> None:
    made = declared(public={"cities": FRAME}, rows=7, groups=2)
    assert [(table.unit, table.rows, table.groups) for table in made.tables] == [
        ("who", 7, 2),
        (None, 1, None),
    ]


def test_a_key_with_a_comma_stands_in_quotes() -> None:
    (table,) = declared(keys={"sex": 'F,"M, male"'}).tables
    assert table.column("sex").keys == ("F", "M, male")


def test_names_that_sql_cannot_say_are_left_out_and_told() -> None:
    made = declared(data={"people": FRAME.rename({"sex": "the sex"})})
    assert [column.name for column in made.tables[0].columns] == ["who", "age"]
    assert any("the sex" in note for note in made.notes)


def test_that_one_row_counts_is_told_unless_it_was_declared() -> None:
    assert any("--rows" in note for note in declared().notes)
    assert not declared(rows=1).notes


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"data": {}}, "no private table"),
        ({"data": FRAME}, "maps names"),
        ({"unit": None}, "whose rows"),
        ({"unit": "whom"}, "no column"),
        ({"bounds": {"agee": "0:1"}}, "speaks of 'agee'"),
        ({"bounds": {"people.agee": "0:1"}}, "speaks of"),
        ({"bounds": {"age": "0-1"}}, "not two numbers"),
        ({"bounds": {"age": "0:1:2"}}, "bound"),
        ({"bounds": {"age": "0:nan"}}, "no number"),
        ({"bounds": {"age": "9:0"}}, "leave no room"),
        ({"bounds": {"age": 5}}, "LOW:HIGH"),
        ({"bounds": {"who": "0:9"}}, "unit"),
        ({"keys": {"sex": 5}}, "A,B,C"),
        ({"keys": {"sex": "F,F"}}, "twice"),
        ({"kind": {"age": "whole"}}, "kind"),
        ({"rows": 0}, "from 1 on"),
        ({"rows": 1.5}, "from 1 on"),
        ({"groups": 0}, "from 1 on"),
        ({"accounting": "loose"}, "no accounting"),
        ({"public": {"PEOPLE": FRAME}}, "one name"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_cure(more: dict[str, Any], why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        declared(**more)


def test_figures_are_exact() -> None:
    assert figure("0.1", "x") == figure(0.1, "x") == Fraction(1, 10)
    assert figure(1e-6, "x") == figure("1e-6", "x") == Fraction(1, 10**6)
    assert figure(Fraction(1, 3), "x") == Fraction(1, 3)
    for wrong in ("", "a", "1e999999999", "-1", "nan", "inf", float("nan"), True, None, [1], "0x10", "1_0"):
        with pytest.raises(BadParameter):
            figure(wrong, "x")
    for wrong in (None, 0, "0.0", 1001):
        with pytest.raises(BadParameter):
            epsilon_from(wrong)


def version(made: Declared) -> int:
    store = made.store(made.dataset(Budget(Fraction(1), DELTA), "approximate"))
    store.close()
    return store.version


def test_the_version_tells_other_rows_and_other_declarations_apart(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "a.csv")
    files: dict[str, Any] = {"data": {"people": tmp_path / "a.csv"}}
    first = version(declared(**files, bounds={"age": "0:120"}))
    assert first == version(declared(**files, bounds={"age": "0:120"}))
    assert first != version(declared(**files, bounds={"age": "0:121"}))
    FRAME.head(2).write_csv(tmp_path / "a.csv")
    assert first != version(declared(**files, bounds={"age": "0:120"}))
    assert version(declared()) == version(declared())
    assert version(declared()) != version(declared(data={"people": FRAME.head(2)}))


def test_the_version_goes_up_when_rows_come() -> None:
    made = declared()
    store = made.store(made.dataset(Budget(Fraction(1), DELTA), "approximate"))
    before = store.version
    store.append("people", FRAME)
    assert store.version == before + 1
    store.close()


def test_names_and_what_they_stand_for() -> None:
    assert pairs_of("data", ["a=b=c.csv", " d =e"]) == {"a": "b=c.csv", "d": "e"}
    assert pairs_of("data", None) == {}
    for wrong in ("a", "=b", "a=", " =b"):
        with pytest.raises(BadParameter, match="NAME=FILE"):
            pairs_of("data", [wrong])
    with pytest.raises(BadParameter, match="twice, as b and c"):
        pairs_of("data", ["a=b", "a=c"])
    with pytest.raises(BadParameter, match=r"bounds maps names, as in \{'age': "):
        pairs_of("bounds", [("age", 0, 120)])


ORDERS = pl.DataFrame({"customer": [1, 1, 2], "price": [5, 6, 7]})


def test_a_table_hangs_on_another_by_a_flag() -> None:
    data = {"orders": ORDERS, "people": FRAME}
    made = declared(data=data, parent=["orders=customer:people.who:5"], rows=2)
    people, orders = made.tables  # whoever others hang on comes first
    assert (people.name, people.rows) == ("people", 2)
    assert orders.link == Link("customer", "people", "who", 5)
    assert orders.rows == 10
    store = made.store(made.dataset(Budget(Fraction(1)), "pure"))
    assert store.loaded("orders")
    store.close()


@pytest.mark.parametrize(
    ("parent", "why"),
    [
        ("orders=customer", "TABLE=COLUMN:PARENT.KEY:ROWS"),
        ("orders=customer:shops.id", "there is orders, people"),
        ("shops=id:people.who", "there is orders, people"),
        ("orders=customer:orders.price", "circle"),
    ],
)
def test_a_parent_that_makes_no_sense_is_refused(parent: str, why: str) -> None:
    with pytest.raises(BadParameter, match=why):
        declared(data={"orders": ORDERS, "people": FRAME}, parent=[parent])


def test_a_file_in_another_encoding_is_read_when_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("who,town\n1,K\u00f6ln\n".encode("cp1252"))
    made = declared(data={"people": path}, encoding="cp1252")
    assert made.frames["people"]["town"].to_list() == ["K\u00f6ln"]
