"""What a request lacks is told at once, and suggestions are accepted only by a word."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from random import Random

import polars as pl
import pytest

import shoal
from shoal.core.errors import BadParameter
from shoal.jobs.tables.requests import ProtectTable
from shoal.jobs.tables.suggest import Suggested, unguarded, useless
from shoal.tables.manifest import beside
from shoal.tables.table import Table


def people(rows: int = 200, rare: bool = False) -> pl.DataFrame:
    chance = Random(1)
    ills = (
        ["flu"] * (rows - 1) + ["hiv"]
        if rare
        else [chance.choice(["flu", "hiv", "gout"]) for _ in range(rows)]
    )
    return pl.DataFrame(
        {
            "name": [f"Ann Person{row}" for row in range(rows)],
            "email": [f"ann{row}@example.org" for row in range(rows)],
            "zip": [f"4767{chance.randrange(4)}" for _ in range(rows)],
            "age": [str(chance.randrange(20, 60)) for _ in range(rows)],
            "diagnosis": ills,
            "shelf": [chance.choice("ab") for _ in range(rows)],
        }
    )


def test_all_that_is_missing_is_told_at_once_with_flags_to_copy() -> None:
    with pytest.raises(BadParameter) as told:
        shoal.protect(people())
    assert str(told.value) == (
        "no quasi-identifier named, no promise asked for; add --yes to accept what the columns suggest, "
        "or say --identifier name,email --quasi zip,age --sensitive diagnosis --k 5"
    )


def test_what_was_said_is_not_asked_for_again() -> None:
    with pytest.raises(
        BadParameter, match=r"^no promise asked for; .* or say --identifier name,email --sens"
    ):
        shoal.protect(people(), quasi="zip,age")


def test_where_nothing_can_be_suggested_the_columns_are_listed() -> None:
    frame = pl.DataFrame({"shelf": ["a", "b"] * 50})
    with pytest.raises(BadParameter, match="choose with --quasi from shelf"):
        shoal.protect(frame)
    with pytest.raises(BadParameter, match="nothing to suggest; choose with --quasi from shelf"):
        shoal.protect(frame, yes=True)


def test_what_names_people_is_not_offered_as_a_quasi_identifier() -> None:
    """A pupil's number headed the list of columns to choose from."""
    frame = pl.DataFrame({"email": [f"a{row}@example.org" for row in range(100)], "shelf": ["a", "b"] * 50})
    for yes in (False, True):
        with pytest.raises(BadParameter, match=r"choose with --quasi from shelf$"):
            shoal.protect(frame, yes=yes)


def test_flags_to_copy_survive_the_shell_where_a_column_has_a_gap_in_its_name() -> None:
    with pytest.raises(BadParameter) as told:
        shoal.protect(people().rename({"name": "full name"}))
    said = shlex.split(str(told.value).split(" or say ")[1])
    assert said[:2] == ["--identifier", "full name,email"]


def test_yes_counts_devices_where_only_the_look_of_their_addresses_tells_that_they_repeat() -> None:
    """Five positions of one phone were five rows, and went out as a group of five."""
    chance = Random(5)
    of = [f"{who:02x}:5a:3c:00:{who * 7 % 256:02x}:9f" for who in range(60)]
    frame = pl.DataFrame(
        {
            "sta": [of[row // 10] for row in range(600)],
            "y": [f"{60 + row // 10 / 100 + chance.random() / 1000:.6f}" for row in range(600)],
        }
    )
    release = shoal.protect(frame, yes=True)
    assert [promise.model for promise in release.promises][-1] == "multir-k-anonymity(k=5,person=sta)"
    assert all(promise.holds for promise in release.promises)


def test_yes_accepts_the_suggested_roles_and_says_so(tmp_path: Path) -> None:
    release = shoal.protect(people(), yes=True, output=tmp_path / "out.csv", seed=1)
    assert set(release.table.columns) == {"zip", "age", "diagnosis"}
    assert [promise.model for promise in release.promises] == ["k-anonymity(k=5)", "l-diversity(l=2)"]
    assert all(promise.holds for promise in release.promises)
    assert any("accepted as suggested: quasi zip,age" in note for note in release.notes)
    told = json.loads(beside(tmp_path / "out.csv").read_text("utf-8"))["decisions"]["columns"]
    assert {column for column, who in told.items() if who == "nobody"} == {"shelf"}
    assert set(told.values()) == {"suggestion", "nobody"}


def test_what_nothing_is_known_about_does_not_go_out_by_yes() -> None:
    """`Kirche` and `Bemerkung` went out unchanged, because Shoal had never heard of them."""
    release = shoal.protect(people(), yes=True, seed=1)
    assert release.decisions.left_out == ("shelf",) and "shelf" not in release.table.columns
    assert any(note.startswith("left out shelf: nobody gave it a role") for note in release.notes)
    kept = shoal.protect(people(), yes=True, insensitive="shelf", seed=1)
    assert "shelf" in kept.table.insensitive and kept.decisions.by["shelf"] == "flags"


def test_a_column_named_like_a_harmless_thing_goes_out_by_yes() -> None:
    frame = people().rename({"shelf": "app_version"})
    assert shoal.protect(frame, yes=True, seed=1).table.insensitive == ("app_version",)


def test_yes_leaves_alone_what_somebody_decided() -> None:
    release = shoal.protect(people(), yes=True, insensitive="age", k=3, seed=1)
    assert release.table.quasi == ("zip",)
    assert [promise.model for promise in release.promises] == ["k-anonymity(k=3)"]
    assert (release.decisions.by["age"], release.decisions.by["zip"]) == ("flags", "suggestion")
    assert any("leaves the homogeneity attack open" in note for note in release.notes)


def test_diversity_that_would_leave_no_detail_is_not_taken_and_the_open_attack_is_named() -> None:
    release = shoal.protect(people(rare=True), yes=True, seed=1)
    assert [promise.model for promise in release.promises] == ["k-anonymity(k=5)"]
    (note,) = [note for note in release.notes if "homogeneity" in note]
    assert 'value of diagnosis; --model "l-diversity(l=2)" closes it' in note
    assert useless({"loss": 0.95}) and not useless({"loss": 0.5})


def test_a_sensitive_column_with_one_value_asks_for_no_diversity() -> None:
    frame = people().with_columns(diagnosis=pl.lit("flu"))
    found = Suggested.of(ProtectTable(data=frame, sensitive=("diagnosis",)), Table(frame))
    assert [offer.model for offer in found.offers()] == [()]
    frame = frame.with_columns(salary=people()["diagnosis"])
    found = Suggested.of(ProtectTable(data=frame, sensitive=("diagnosis", "salary")), Table(frame))
    assert found.offers()[0].model == ("l-diversity(l=2,column=salary)",)


def test_promises_of_noise_accept_no_suggestion() -> None:
    with pytest.raises(BadParameter, match="must not depend on the rows"):
        shoal.protect(people(), yes=True, model="differential-privacy(epsilon=1)")


def test_harmless_columns_that_single_people_out_together_are_told_of() -> None:
    """Twelve answers from 1 to 5 are harmless one by one; together they were those of one person each."""
    answers = {
        f"q{place}": [str(row // 5**place % 5) for row in range(300)] for place in range(4)
    }  # in base five every row is another
    people = pl.DataFrame(
        {**answers, "age": [str(20 + row % 40) for row in range(300)], "sex": ["f", "m"] * 150}
    )
    notes = shoal.protect(people, yes=True, insensitive="q0,q1,q2,q3", method="mondrian").notes
    assert [note for note in notes if note.startswith("q0,q1,q2,q3 go out unchanged, and 300 of 300 rows")]
    fewer = people.drop("q1", "q2", "q3")
    few = shoal.protect(fewer, yes=True, insensitive="q0", method="mondrian").notes
    assert not [note for note in few if "go out" in note]


def connections(people: int = 60, rows: int = 900) -> pl.DataFrame:
    """A log in which each of a few people has many rows."""
    chance = Random(4)
    who = [chance.randrange(people) for _ in range(rows)]
    return pl.DataFrame(
        {
            "user": [f"u{one * 7919:05x}" for one in who],
            "age": [str(20 + one % 40) for one in who],
            "megabytes": [str(chance.randrange(1, 900)) for _ in who],
        }
    )


def test_people_are_counted_where_one_has_several_rows() -> None:
    release = shoal.protect(connections(), yes=True)
    assert "user" not in release.table.columns
    held = [promise.model for promise in release.promises]
    assert "multir-k-anonymity(k=5,person=user)" in held
    assert any("people are counted, and not rows alone" in note for note in release.notes)


def test_the_flags_to_copy_count_people_too() -> None:
    with pytest.raises(BadParameter, match='--model "multir-k-anonymity\\(k=5,person=user\\)"'):
        shoal.protect(connections())


def test_who_counts_rows_where_a_person_has_several_is_told() -> None:
    log = connections()
    release = shoal.protect(log, identifier="user", quasi="age", insensitive="megabytes", k=5)
    assert any("counts rows, not people" in note for note in release.notes)
    ids = log.with_columns(user=pl.Series([f"u{row:05x}" for row in range(log.height)]))
    release = shoal.protect(ids, identifier="user", quasi="age", insensitive="megabytes", k=5)
    assert not any("counts rows" in note for note in release.notes)


def test_too_few_people_for_that_promise_are_told_about() -> None:
    release = shoal.protect(connections(people=11), yes=True, quasi="age", insensitive="megabytes")
    few = [note for note in release.notes if "several rows" in note]
    assert few


def visits(people: int = 60, rows: int = 1_200) -> pl.DataFrame:
    """Several rows of everybody, with words that no list of Shoal's has, and few enough of each to hide."""
    chance = Random(9)
    who = [chance.randrange(people) for _ in range(rows)]
    return pl.DataFrame(
        {
            "Naam w": [f"Qvist{one % 40}" for one in who],
            "Фамилия": [f"Иванов{chr(1072 + one % 30)}" for one in who],
            "Xq": [f"{'abcde'[one % 5]}/{one:02d}" for one in who],
            "Boende": [str(4_000 + one * 17) for one in who],
            "sex": ["fm"[one % 2] for one in who],
            "age": [str(20 + one % 3) for one in who],
            "zip": [f"4767{one % 4}" for one in who],
            "diagnosis": [chance.choice(["flu", "hiv", "gout"]) for _ in who],
            "income": [str(chance.choice([20, 30, 40])) for _ in who],
        }
    )


@pytest.mark.parametrize("column", ["Naam w", "Фамилия", "Xq", "Boende"])
def test_texts_and_keys_that_nothing_tells_about_do_not_go_out_by_yes(column: str) -> None:
    """Surnames went out unchanged as "sensitive", and keys of people with many rows as quasi-identifiers."""
    release = shoal.protect(visits(), yes=True, seed=1)
    assert column not in release.table.columns
    assert {"sex", "age", "zip", "diagnosis"} <= set(release.table.columns)


def test_a_number_that_determines_all_about_people_counts_them() -> None:
    release = shoal.protect(visits().drop("Xq"), yes=True, seed=1)
    assert "multir-k-anonymity(k=5,person=Boende)" in [promise.model for promise in release.promises]


def test_people_are_counted_by_the_key_without_gaps() -> None:
    """A person without a number in some rows was one more person, so that five may have been four."""
    log = connections()
    lost = pl.Series([row % 10 == 0 for row in range(log.height)])
    also = pl.when(lost).then(pl.lit("n/a")).otherwise(pl.col("user").str.replace("u", "c"))
    assert Suggested.of(ProtectTable(data="log.csv"), Table(log.with_columns(customer_id=also))).key == "user"


@pytest.mark.parametrize(
    ("models", "left"),
    [
        ((), ("ill", "pay")),
        (("k-anonymity(k=5)",), ("ill", "pay")),
        (("k-anonymity(k=5)", "l-diversity(l=2)"), ()),
        (("l-diversity(l=2,column=pay)",), ("ill",)),
        (("l-diversity(l=2,column=pay)", "xy-anonymity(x=age,y=ill,k=2)"), ()),
        (("xy-linkability(x=age,y=ill|pay,h=0.5)",), ()),
        (("differential-privacy(epsilon=1)",), ()),
        (("delta-presence(low=0,high=0.5)",), ("ill", "pay")),
    ],
)
def test_a_sensitive_column_is_guarded_by_promises_about_its_values_alone(
    models: tuple[str, ...], left: tuple[str, ...]
) -> None:
    assert unguarded(models, ("ill", "pay")) == left
