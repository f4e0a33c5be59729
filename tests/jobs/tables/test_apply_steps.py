"""Steps of a request, carried out in order."""

from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs import ProtectTable
from shoal.jobs.tables.apply_steps import (
    apply_steps,
    check_steps,
    no_key_left_behind,
    spell_without_secrets,
    steps_of,
)
from shoal.jobs.tables.verify import columns_kept_by_steps
from shoal.tables.steps.noise import Noise
from shoal.tables.table import Table

TABLE = Table(pl.DataFrame({"id": ["a", "b", "c", "d"], "x": [1, 5, 9, 20]}), ("id",), ("x",))


def test_steps_come_from_spellings_and_objects() -> None:
    assert steps_of(("noise(column=x)", Noise("y"))) == [Noise("x"), Noise("y")]
    assert steps_of("noise(column=x)") == [Noise("x")] and steps_of(()) == []
    with pytest.raises(BadParameter, match="no step 'nois'; there is dummies"):
        steps_of("nois")


def test_a_record_shows_no_key_and_still_knows_what_was_kept() -> None:
    (step,) = steps_of("pseudonyms(column=id,key=vault/secret,length=20)")
    assert spell_without_secrets(step) == "pseudonyms(column=id,length=20)"
    assert (
        set(step.keeps)
        == {"id"}
        == columns_kept_by_steps([spell_without_secrets(step), "of-a-stranger(a=5)"])
    )


def test_steps_act_in_order_and_say_what_they_did() -> None:
    steps = steps_of(["sampling(rows=3)", "noise(column=x,deviation=3)"])
    found, notes = apply_steps(TABLE, steps, 7)
    again, _ = apply_steps(TABLE, steps, 7)
    assert found.frame.equals(again.frame) and found.rows == 3 and TABLE.rows == 4
    assert notes[0].startswith("step sampling(rows=3) kept 3 of 4 rows")
    assert "of 3 values of 'x'; noise on values is no differential privacy" in notes[1]
    assert notes[2].startswith("whoever guesses the seed")
    other, notes = apply_steps(TABLE, steps, None)
    assert len(notes) == 2 and not other.frame.equals(found.frame)
    assert apply_steps(TABLE, [], 7) == (TABLE, [])


def test_the_seed_of_a_step_that_draws_nothing_is_nobodys_business() -> None:
    _, notes = apply_steps(TABLE, steps_of("microaggregation(columns=x,k=2)"), 7)
    assert len(notes) == 1 and "changed 4 of 4 values of 'x'" in notes[0]


def test_a_key_lies_in_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()

    def check(key: Path, output: object = tmp_path / "out.csv") -> None:
        steps = steps_of(f"pseudonyms(column=id,key={key})")
        check_steps(steps, ProtectTable(data=tmp_path / "vault" / "in.csv", output=output))  # type: ignore[arg-type]

    check(tmp_path / "vault" / "key")
    check(tmp_path / "key", None)
    check(tmp_path / "key", "-")
    with pytest.raises(BadParameter, match="would lie beside the release"):
        check(tmp_path / "vault" / ".." / "key")
    with pytest.raises(BadParameter, match="no folder"):
        check(tmp_path / "nowhere" / "key")
    with pytest.raises(BadParameter, match="is a folder"):
        check(tmp_path / "vault", tmp_path / "vault" / "out.csv")
    with pytest.raises(BadParameter, match="is the table itself"):
        check(tmp_path / "vault" / "in.csv")


def test_a_key_made_for_a_request_that_fails_is_taken_away(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_bytes(bytes(32))
    steps = steps_of(
        [f"pseudonyms(column=id,key={old})", f"pseudonyms(column=x,key={new})", "sampling(rows=9)"]
    )
    with pytest.raises(BadParameter, match="rows there are"), no_key_left_behind(steps):
        apply_steps(TABLE, steps, 1)
    assert old.exists() and not new.exists()
    with no_key_left_behind(steps[:2]):
        apply_steps(TABLE, steps[:2], 1)
    assert new.exists()


def test_a_step_after_one_that_mixes_rows_leaves_nobody_out() -> None:
    mixing = "microaggregation(columns=x,k=2)"
    with pytest.raises(BadParameter, match="put sampling first"):
        apply_steps(TABLE, steps_of([mixing, "sampling(rows=3)"]), 1)
    assert apply_steps(TABLE, steps_of(["sampling(rows=3)", mixing]), 1)[0].rows == 3


def test_steps_done_apart_draw_from_streams_of_their_own() -> None:
    steps = steps_of("noise(column=x,deviation=3)")
    one, other = (apply_steps(TABLE, steps, 7, stream)[0].frame["x"].to_list() for stream in (0, 1))
    assert one != other
