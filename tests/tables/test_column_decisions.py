"""Who decided about a column is told, read back and said in plain words."""

from __future__ import annotations

import pytest

from shoal.tables.column_decisions import Decisions

MIXED = Decisions(
    {"zip": "flags", "ill": "suggestion", "first": "nobody", "note": "nobody"}, "keep", ("note",)
)


def test_columns_without_a_role_are_told_apart_by_what_became_of_them() -> None:
    assert MIXED.nobodys == ("first", "note")
    assert MIXED.left_out == ("first",)
    assert MIXED.words() == (
        "1 column had no role and was left out: first. "
        "1 column had no role and was released unchanged all the same: note."
    )
    assert Decisions({"zip": "flags"}).words() == ""


def test_a_record_reads_back_as_it_was_written() -> None:
    assert Decisions.read(MIXED.to_json()) == MIXED


@pytest.mark.parametrize(
    "change", [{"undeclared": "perhaps"}, {"columns": {"zip": "my cat"}}, {"kept": ["stranger"]}]
)
def test_a_record_that_shoal_would_not_write_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="not told as Shoal tells it"):
        Decisions.read({**MIXED.to_json(), **change})
