from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import polars as pl
import pytest

from report.conftest import ATTACKS
from shoal import catalog
from shoal.core import deadline
from shoal.core.errors import BadParameter
from shoal.jobs import attack_trials
from shoal.jobs.attack_trials import hide_quoted_values, trials_not_asked_for
from shoal.jobs.tables.attack_trials import try_attacks
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.table import Table

RAW = pl.DataFrame(
    {"zip": ["1", "2", "3", "4"], "ill": ["flu", "flu", "gout", "cold"], "pay": ["1", "2", "3", "4"]}
)
COARSE = RAW.with_columns(zip=pl.Series(["1", "1", "2", "2"]))
PEOPLE = pl.DataFrame({"name": ["Ann", "Bob"], "zip": ["1", "2"]})


def scene(frame: pl.DataFrame, **more: object) -> Scene:
    table = Table(frame, quasi=("zip",), sensitive=("ill",))
    return Scene(table, **more)  # type: ignore[arg-type]


def test_every_attack_on_tables_is_tried_or_has_a_reason() -> None:
    found = try_attacks(None, scene(COARSE))
    tabular = {
        n
        for n in catalog.names("attack")
        if catalog.Part("attack", n, catalog.find("attack", n)).noun == "table"
    }
    assert {trial.name for trial in found} >= tabular
    assert all((trial.after is None) == bool(trial.reason) for trial in found)
    linkage = next(trial for trial in found if trial.name == "linkage")
    assert "--external" in linkage.reason


def test_before_and_after() -> None:
    (trial,) = try_attacks(scene(RAW, external=PEOPLE), scene(COARSE, external=PEOPLE), ["linkage"])
    assert trial.before is not None and trial.after is not None
    assert (trial.before.rate.hits, trial.after.rate.hits) == (2, 0)


def test_an_attack_after_one_column_is_tried_on_each() -> None:
    two = scene(COARSE, external=PEOPLE)
    two = replace(two, table=two.table.with_roles((), ("zip",), ("ill", "pay")))
    found = try_attacks(None, two, ["homogeneity"])
    assert [trial.attack for trial in found] == ["homogeneity(column=ill)", "homogeneity(column=pay)"]


def test_what_the_user_wrote_wrongly_is_refused_and_what_he_did_not_write_is_told() -> None:
    with pytest.raises(BadParameter, match="no attack 'nonsense'"):
        try_attacks(None, scene(COARSE), ["nonsense"])
    with pytest.raises(BadParameter, match="no parameter 'x'"):
        try_attacks(None, scene(COARSE, external=PEOPLE), ["linkage(x=1)"])
    with pytest.raises(BadParameter, match="no parameter 'x'"):
        try_attacks(None, scene(COARSE), ["linkage(x=1)"])


def test_a_refusal_keeps_names_of_columns_and_no_value() -> None:
    assert hide_quoted_values("no '47677' in 'zip'", ["zip"]) == "no ‘…’ in 'zip'"
    assert (
        hide_quoted_values('no "O\'Neil" in \'zip\'; say "a(b=c)"', ["zip"])
        == "no ‘…’ in 'zip'; say \"a(b=c)\""
    )


def test_a_hit_that_is_sure_works_however_often_a_blind_guess_is_right() -> None:
    ill = ["flu", "flu", *["flu", "cold"] * 4]
    frame = pl.DataFrame({"zip": ["1", "1", *["2"] * 8], "ill": ill})
    (trial,) = try_attacks(None, scene(frame), ["homogeneity"])
    assert trial.after is not None
    assert trial.after.rate.value < trial.after.baseline and trial.after.works
    same = scene(frame.with_columns(ill=pl.lit("flu")))
    (trial,) = try_attacks(None, same, ["homogeneity"])
    assert trial.after is not None and not trial.after.works, "everybody knew that already"


def test_a_row_that_stands_alone_leaves_nothing_to_chance() -> None:
    whole = pl.DataFrame({name: [str(row) for row in range(60)] for name in ("zip", "age", "ill", "pay")})
    raw = Scene(Table(whole, quasi=("zip", "age"), sensitive=("ill",)), original=whole, external=whole)
    for trial in try_attacks(None, raw, ["linkage", "linkability"]):
        assert trial.after is not None and trial.after.rate.value > 0.9
        assert trial.after.works, trial.name


def test_who_follows_is_told_which_attack_is_at_work() -> None:
    seen: list[tuple[int, int, str]] = []
    try_attacks(None, scene(COARSE), ["linkage", "homogeneity"], lambda *told: seen.append(told))
    assert seen == [(1, 2, "attack homogeneity")], "linkage has no list, and is not tried"


def test_an_attack_that_does_not_fit_into_memory_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def burst(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("shoal.tables.attacks.homogeneity.Homogeneity.attack", burst)
    first, second = try_attacks(None, scene(COARSE), ["homogeneity", "skewness"])
    assert "memory" in first.reason and second.after is not None


def test_when_time_is_over_no_further_attack_begins_and_each_says_so() -> None:
    found = try_attacks(scene(RAW), scene(COARSE), ["homogeneity", "skewness"], limit=1e-9)
    assert [trial.after for trial in found] == [None, None]
    assert all("the time limit of 1e-09 s was over; give --time-limit more" in t.reason for t in found)
    found = try_attacks(scene(RAW), scene(COARSE), ["homogeneity", "skewness"], limit=600)
    assert all(trial.after is not None and trial.before is not None for trial in found)


TIMED = {
    "definetti": "external", "homogeneity": "", "inference": "original",
    "linkability(columns-a=zip,columns-b=pay)": "original", "linkage": "external", "partly-known": "external",
    "singling-out": "original", "skewness": "",
}  # fmt: skip


@pytest.mark.parametrize("attack", TIMED)
def test_an_attack_at_work_is_given_up_when_the_time_is_over(
    attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every look at the clock is a second later: the attack begins in time, and then the time is over.
    ticks = count()
    people = RAW.with_columns(name=pl.Series(list("abcd")))
    held = {TIMED[attack]: people} if TIMED[attack] else {}
    seen: list[str] = []

    def follow(*told: object) -> None:
        seen.append(str(told[2]))

    monkeypatch.setattr(attack_trials, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    (found,) = try_attacks(None, scene(COARSE, **held), [attack], follow, limit=2)
    assert seen and found.after is None
    assert found.reason == "it was not finished within its time of 2 s; give --time-limit more"


def test_the_release_is_attacked_before_the_original() -> None:
    seen: list[str] = []
    try_attacks(scene(RAW), scene(COARSE), ["skewness", "homogeneity"], lambda *told: seen.append(told[2]))
    assert seen == [
        "attack homogeneity",
        "attack skewness",
        "attack homogeneity on the original",
        "attack skewness on the original",
    ]


def test_what_nobody_asked_for_is_not_tried_and_that_is_the_reason() -> None:
    assert trials_not_asked_for((), "table") == ()
    left = trials_not_asked_for(["linkage", "inference(column=ill)"], "table")
    assert len(left) == ATTACKS - 2 and {"linkage", "inference"}.isdisjoint(trial.name for trial in left)
    assert all("asked for" in trial.reason and trial.unasked for trial in left)
