"""Tables by URL, folders, and passwords that nobody sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.engines.address import Address, address_of, output_address, without_password, without_secrets


@pytest.mark.parametrize(
    ("text", "kind", "place", "table", "path"),
    [
        ("duckdb:///data/p.duckdb#people", "duckdb", "data/p.duckdb", ("people",), ""),
        ("duckdb:////data/p.duckdb#s.people", "duckdb", "/data/p.duckdb", ("s", "people"), ""),
        (
            'postgresql://u@h/d#"my.schema"."a ""b"""',
            "postgresql",
            "postgresql://u@h/d",
            ("my.schema", 'a "b"'),
            "",
        ),
        ("postgres://h/d#t%20x", "postgresql", "postgresql://h/d", ("t x",), ""),
        ("spark://local[2]#people", "spark", "local[2]", ("people",), ""),
        ("spark://#db.people", "spark", "", ("db", "people"), ""),
        ("spark://host:7077#people", "spark", "spark://host:7077", ("people",), ""),
        ("spark://local[2]/data/people", "spark", "local[2]", (), "/data/people"),
    ],
)
def test_a_url_names_a_table(text: str, kind: str, place: str, table: tuple[str, ...], path: str) -> None:
    found = address_of(text)
    assert found is not None
    assert (found.kind, found.place, found.table, found.path) == (kind, place, table, path)
    assert address_of(str(found)) == found


@pytest.mark.parametrize("text", ["people.csv", "-", "http://h/d#t", "a/b#c"])
def test_all_else_is_a_file(text: str) -> None:
    assert address_of(text) is None
    assert output_address(text) is None


def test_a_folder_is_an_address_and_a_new_one_ends_with_a_slash(tmp_path: Path) -> None:
    assert address_of(tmp_path) == Address("folder", str(tmp_path))
    assert output_address(f"{tmp_path}/new/") == Address("folder", f"{tmp_path}/new")


@pytest.mark.parametrize(
    "text",
    ["duckdb:///a.duckdb", "postgresql://h/d", "spark://local", "spark://l/p#t", "postgresql://h/d#a..b"],
)
def test_a_url_without_one_table_is_refused_with_the_cure(text: str) -> None:
    with pytest.raises(BadParameter, match=r"#|one of them"):
        address_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://me:geheim@h:5/d#t",
        "postgresql://h/d?user=me&password=geheim#t",
        "postgresql://me:geheim p@h:5/d#t",
        "Postgres://me:geheim%zz@h/d?sslpassword=geheim&passwd=geheim#t",
    ],
)
def test_no_password_is_ever_shown(text: str) -> None:
    address = address_of(text)
    assert address is not None
    assert "geheim" in address.place
    assert "geheim" not in f"{address} {address!r} {without_secrets(text)}"
    with pytest.raises(BadParameter) as caught:
        address_of(text.replace("#t", "#a..b"))
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    "password",
    ["ge#heim", "ge#h/e@im", "1#heim", "ge/heim", "ge/h@eim", "1/h@eim", "ge/h?eim", "ge:/heim", "#geheim"],
)
@pytest.mark.parametrize("rest", ["h/d#t", "h:5432/d#s.t", "[::1]:5432/d#t"])
def test_a_password_that_is_cut_in_two_is_refused_and_neither_half_is_shown(password: str, rest: str) -> None:
    with pytest.raises(BadParameter, match="cannot be read: in user") as caught:
        address_of(f"postgresql://me:{password}@{rest}")
    assert "eim" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://h:5432/d?user=a@b#t@x",
        "postgresql://h1:1,h2:2/d#t",
        "postgresql://[::1]:5432/d#t",
        "postgresql:///d?host=@x#t",
    ],
)
def test_what_only_looks_like_a_password_is_none(text: str) -> None:
    address = address_of(text)
    assert address is not None
    assert str(address) == text
    assert without_password(text) == text


def test_a_url_in_a_project_file_has_no_password() -> None:
    assert without_password("postgresql://me:geheim@h/d#t") == "postgresql://me@h/d#t"
    assert without_password("postgresql://h/d?user=me&password=geheim#t") == "postgresql://h/d?user=me#t"
    assert without_password("postgresql://h/d?password=x&user=me#t") == "postgresql://h/d?user=me#t"
    assert without_password("postgresql://h/d?sslpassword=x&password=y") == "postgresql://h/d"
