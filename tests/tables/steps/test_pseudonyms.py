"""Keyed pseudonyms."""

import hashlib
import stat
from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.tables.steps.pseudonyms import Pseudonyms
from shoal.tables.table import Table


def by_hand(key: bytes, value: str) -> str:
    """HMAC-SHA256 straight from its definition (RFC 2104)."""
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + value.encode()).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).hexdigest()


def made(values: list[str | int | None]) -> Table:
    return Table(pl.DataFrame({"id": values, "age": range(len(values))}), ("id",), ("age",))


def test_pseudonyms_are_hmac_and_the_column_may_go_out(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(bytes(range(32)))
    step = Pseudonyms("id", str(tmp_path / "key"), 24)
    table = made(["Ann", "Bob", None, "Ann", "Zoë"])
    found = step.apply(table, generator(1))
    wanted = [None if v is None else by_hand(bytes(range(32)), v)[:24] for v in table.frame["id"]]
    assert found.frame["id"].to_list() == wanted
    assert found.identifier == () and found.role("id") == "insensitive" and found.quasi == ("age",)
    assert table.frame.equals(made(["Ann", "Bob", None, "Ann", "Zoë"]).frame) and table.identifier == ("id",)


def test_the_test_vector_of_rfc_4231(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"\x0b" * 20)
    found = Pseudonyms("id", str(tmp_path / "key"), 64).apply(made(["Hi There"]), generator(1))
    assert found.frame["id"][0] == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"


def test_the_same_value_gets_the_same_pseudonym_in_every_table_and_type(tmp_path: Path) -> None:
    step = Pseudonyms("id", str(tmp_path / "key"))
    one = step.apply(made([5, 7]), generator(1)).frame["id"].to_list()
    other = step.apply(made(["7", "5", "9"]), generator(2)).frame["id"].to_list()
    assert one == [other[1], other[0]] and len({*one, *other}) == 3
    stranger = Pseudonyms("id", str(tmp_path / "other")).apply(made([5]), generator(1)).frame["id"].to_list()
    assert stranger[0] not in one


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    Pseudonyms("id", str(path)).apply(made(["a"]), generator(1))
    key = path.read_bytes()
    assert len(key) == 32 and stat.S_IMODE(path.stat().st_mode) == 0o600
    Pseudonyms("id", str(path)).apply(made(["b"]), generator(1))
    assert path.read_bytes() == key and list(tmp_path.iterdir()) == [path]
    Pseudonyms("id", str(tmp_path / "second")).apply(made(["a"]), generator(1))
    assert (tmp_path / "second").read_bytes() != key  # not from the seed


def test_two_values_never_share_a_pseudonym(tmp_path: Path) -> None:
    many = made([str(value) for value in range(2000)])
    with pytest.raises(BadParameter, match="the same pseudonym; try length=8"):
        Pseudonyms("id", str(tmp_path / "key"), 4).apply(many, generator(1))


def test_a_quasi_identifier_keeps_its_role(tmp_path: Path) -> None:
    found = Pseudonyms("age", str(tmp_path / "key")).apply(made(["a", "b"]), generator(1))
    assert found.quasi == ("age",) and found.identifier == ("id",)


def test_bad_input_is_refused(tmp_path: Path) -> None:
    for length in (3, 65):
        with pytest.raises(BadParameter, match="not between 4 and 64"):
            Pseudonyms("id", "key", length)
    with pytest.raises(BadParameter, match="no column 'name'"):
        Pseudonyms("name", str(tmp_path / "key")).apply(made(["a"]), generator(1))
    assert not (tmp_path / "key").exists()
    with pytest.raises(BadParameter, match=r"needs a key; write pseudonyms\(column=id,key=FILE\)"):
        Pseudonyms("id").apply(made(["a"]), generator(1))
    (tmp_path / "short").write_bytes(b"secret")
    with pytest.raises(BadParameter, match="has 6 bytes, fewer than 16"):
        Pseudonyms("id", str(tmp_path / "short")).apply(made(["a"]), generator(1))
    with pytest.raises(BadParameter, match="cannot use the key file"):
        Pseudonyms("id", str(tmp_path / "no" / "key")).apply(made(["a"]), generator(1))
