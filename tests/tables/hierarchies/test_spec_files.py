"""The files that hierarchies are read from."""

from pathlib import Path

import pytest

from shoal.tables.hierarchies.spec import declares, path_in


@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ("age.csv", "age.csv"),
        ("some/age.JSON", "some/age.JSON"),
        (Path("age.csv"), "age.csv"),
        ("parents(file=icd.csv)", "icd.csv"),
        ("parents( file = a/icd.tab )", "a/icd.tab"),
        ("mask()", None),
        ("interval(width=5)", None),
        ({"a": ["b"]}, None),
    ],
)
def test_the_file_that_a_hierarchy_reads(spec: object, path: str | None) -> None:
    assert path_in(spec) == path


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("zip.csv", True),
        (Path("zip.csv"), True),
        ({"all": ["1", "2"]}, True),
        ("mask()", False),
        ("parents(file=icd.csv)", False),
        (None, False),
    ],
)
def test_a_hierarchy_is_declared_if_it_says_itself_what_values_there_are(spec: object, said: bool) -> None:
    assert declares(spec) is said
