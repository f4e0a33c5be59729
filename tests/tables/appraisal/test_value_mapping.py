"""Which value became which label."""

from shoal.tables.appraisal.value_mapping import ColumnMapping, ValueMapping
from shoal.tables.hierarchies import Hierarchy

LADDER = Hierarchy.of_levels([["101", "102", "201"], ["1", "1", "2"], ["*", "*", "*"]])


def test_a_declared_file_may_be_published_and_data_may_not() -> None:
    file, data = (ColumnMapping.of("zip", LADDER, 1, declared, False) for declared in (True, False))
    assert file.labels == (("101", "1"), ("102", "1"), ("201", "2"))
    assert file.publishable and not data.publishable and "left out" in data.reason
    assert "may be published" in ValueMapping((file,)).notes[0]
    assert "must not be published: 'zip'" in ValueMapping((file, data)).notes[0]


def test_a_file_that_names_just_the_values_of_the_data_was_probably_made_from_them() -> None:
    assert not ColumnMapping.of("zip", LADDER, 1, True, True).publishable


def test_as_csv() -> None:
    told = ValueMapping((ColumnMapping.of('a "b"', LADDER, 2, True, False),)).to_csv().splitlines()
    assert told[0] == "column,level,value,label,publishable"
    assert told[1] == '"a ""b""",2,101,*,yes'
