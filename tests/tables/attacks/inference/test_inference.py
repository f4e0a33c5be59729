"""Inference."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs import AttackTable
from shoal.jobs.tables.attack import attack_table
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.inference import voting
from shoal.tables.attacks.inference.inference import Inference
from shoal.tables.hierarchies import Hierarchy, of_released
from shoal.tables.table import Table


def people(number: int, seed: int) -> pl.DataFrame:
    """People whose illness follows from their age in 6 cases of 10."""
    chance = np.random.default_rng(seed)
    age = chance.integers(0, 80, number)
    ill = np.where(chance.random(number) < 0.6, age // 10, chance.integers(0, 8, number))
    return pl.DataFrame(
        {
            "zip": chance.integers(0, 400, number).astype(str),
            "age": age.astype(str),
            "ill": [f"ill {kind}" for kind in ill],
            "income": (chance.integers(10, 90, number) * 1000).astype(str),
        }
    )


ORIGINAL, CONTROL = people(2000, 1), people(2000, 2)
GUESS = Inference(column="ill", known=("zip", "age"))


def scene(frame: pl.DataFrame, control: pl.DataFrame | None = CONTROL) -> Scene:
    return Scene(
        Table(frame, quasi=("zip", "age"), sensitive=("ill",)), original=ORIGINAL, control=control, seed=1
    )


def test_the_data_themselves_tell_everything_about_their_people() -> None:
    found = GUESS.attack(scene(ORIGINAL))
    assert found.rate.value > 0.95 and found.details["risk"] > 0.9  # type: ignore[operator]
    # Of people outside only the rule is learned, from the nearest row.
    assert 0.3 < found.details["control"] < 0.6  # type: ignore[operator]
    assert found.baseline == pytest.approx(1 / 8, abs=0.03)
    assert "t-closeness" in found.cure and found.findings[0]["learned"].keys() == {"ill"}  # type: ignore[union-attr]


def test_what_is_true_of_everybody_is_no_risk() -> None:
    decades = ORIGINAL.with_columns(
        pl.lit("*").alias("zip"),
        pl.format(
            "[{}, {})", pl.col("age").cast(pl.Int64) // 10 * 10, pl.col("age").cast(pl.Int64) // 10 * 10 + 10
        ).alias("age"),
    )
    found = GUESS.attack(scene(decades))
    assert found.rate.value == pytest.approx(0.65, abs=0.04) and found.rate.value > 4 * found.baseline
    assert found.details["risk_interval"][0] == 0  # type: ignore[index]
    assert "nothing that the release adds" in found.cure


@pytest.mark.parametrize("hidden", [["zip", "age"], ["ill"], ["zip", "age", "ill"]])
def test_what_is_suppressed_tells_no_more_than_a_blind_guess(hidden: list[str]) -> None:
    stars = ORIGINAL.with_columns(pl.lit("*").alias(column) for column in hidden)
    found = GUESS.attack(scene(stars))
    assert found.rate.value == pytest.approx(found.baseline, abs=0.001)
    assert found.details["risk_interval"][0] == 0  # type: ignore[index]


def test_a_coarse_secret_counts_for_the_values_under_it() -> None:
    original = pl.DataFrame({"zip": ["1", "2", "2", "2"], "ill": ["flu", "cold", "cold", "gout"]})
    hierarchy = Hierarchy.of_levels([["flu", "cold", "gout"], ["air", "air", "joints"]])
    release = Table(
        pl.DataFrame({"zip": ["1", "2", "2", "2"], "ill": ["air", "air", "air", "joints"]}),
        quasi=("zip",), sensitive=("ill",), hierarchies={"ill": hierarchy},
    )  # fmt: skip
    found = Inference().attack(Scene(release, original=original))
    # "air" is a cold twice as often as flu: right about two of zip 2, wrong about zip 1 and the gout.
    assert found.rate.hits == 2 and found.findings[0]["confidence"] == pytest.approx(4 / 9)


def test_numbers_are_guessed_within_a_tolerance() -> None:
    attack = Inference(column="income", known=("zip", "age"), tolerance=0.1)
    noisy = ORIGINAL.with_columns((pl.col("income").cast(pl.Int64) + 3).cast(pl.String))
    with pytest.raises(BadParameter, match="or a tolerance if these are numbers"):
        Inference(column="income", known=("zip", "age")).attack(scene(noisy))
    found = attack.attack(scene(noisy))
    assert found.rate.value > 0.95 and found.details["control"] < 0.3  # type: ignore[operator]
    with pytest.raises(BadParameter, match="tolerance needs numbers, and 'ill' has 'ill 0'"):
        Inference(column="ill", tolerance=0.1).attack(scene(ORIGINAL))


def test_the_blind_guess_of_a_number_is_the_best_there_is() -> None:
    frame = pl.DataFrame({"zip": ["1"] * 6, "income": ["100", "104", "108", "200", None, "205"]})
    found = Inference(column="income", tolerance=0.05).attack(
        Scene(Table(frame, quasi=("zip",)), original=frame)
    )
    # 104 is near enough to 100, 104 and 108, and so is all from 102.6 to 105.
    assert (found.baseline, found.rate.hits) == (0.5, 3)
    assert found.findings[0]["learned"] == {"income": "103.8"} and found.findings[0]["confidence"] == 0.5


def test_a_guess_is_the_most_frequent_value_of_the_rows_that_fit() -> None:
    release = pl.DataFrame(
        {"age": ["[20, 30]", "[20, 30]", "[25, 40]", "*"], "ill": ["flu", "cold", "cold", None]}
    )
    original = pl.DataFrame({"age": ["22", "27", "35", "90"], "ill": ["flu", "cold", "cold", None]})
    found = Inference(column="ill").attack(Scene(Table(release, quasi=("age",)), original=original, shown=0))
    learned = [(told["who"], told["learned"], told["confidence"]) for told in found.findings]
    # 22 fits flu, cold and a blank, of which the first in the alphabet is guessed, wrongly.
    assert learned == [
        ({"age": "27"}, {"ill": "cold"}, 0.5),
        ({"age": "35"}, {"ill": "cold"}, 0.5),
        ({"age": "90"}, {"ill": None}, 1.0),
    ]


def test_parts_of_the_work_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = GUESS.attack(scene(ORIGINAL))
    monkeypatch.setattr(voting, "PAIRS", 10)
    assert GUESS.attack(scene(ORIGINAL)) == whole


def test_columns_are_named_or_plain() -> None:
    found = Inference().attack(scene(ORIGINAL))
    assert found.details["column"] == "ill" and found.details["known"] == ["zip", "age"]
    for wrong in ({"tolerance": 1}, {"attempts": 0}, {"column": "a", "known": ("a",)}):
        with pytest.raises(BadParameter):
            Inference(**wrong)
    with pytest.raises(BadParameter, match="'ill' already"):
        Inference(known=("ill",)).attack(scene(ORIGINAL))
    with pytest.raises(BadParameter, match="needs 'x' in the release"):
        Inference(column="x").attack(scene(ORIGINAL))
    with pytest.raises(BadParameter, match="needs 'ill' in the control group"):
        GUESS.attack(scene(ORIGINAL, CONTROL.drop("ill")))


def test_the_cure_is_checked() -> None:
    frame = pl.DataFrame({"zip": ["1"] * 3 + ["2"] * 4, "ill": ["flu"] * 3 + ["a", "b", "c", "d"]})
    job = AttackTable(data=frame, attack="inference", quasi=("zip",), sensitive=("ill",), original=frame)
    found = attack_table(job)
    assert found.rate.hits == 4 and "without --control" in found.cure
    assert found.cured is not None and found.cured.lost == pytest.approx(3 / 7)
    assert found.cured.rate.hits < found.rate.hits


NUMBERS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(-9, 9)), min_size=1, max_size=9)


@given(NUMBERS, st.sampled_from([0.1, 0.3, 0.5]))
def test_a_number_is_guessed_as_well_as_any_number_could(
    rows: list[tuple[str, int]], tolerance: float
) -> None:
    frame = pl.DataFrame(rows, {"a": pl.String, "n": pl.Int64}, orient="row")
    found = Inference(column="n", tolerance=tolerance).attack(
        Scene(Table(frame, quasi=("a",)), original=frame)
    )

    def best(own: list[int]) -> int:
        points = [n + sign * abs(n) * tolerance for n in own for sign in (-1, 0, 1)]
        return max(sum(abs(p - n) <= tolerance * abs(n) + 1e-9 for n in own) for p in points)

    groups = [[n for key, n in rows if key == kind] for kind in {key for key, _ in rows}]
    assert found.rate.hits == sum(map(best, groups))
    assert found.baseline == pytest.approx(best([n for _, n in rows]) / len(rows))


ROWS = st.lists(
    st.tuples(st.sampled_from(["1", "2", None]), st.sampled_from(["x", "y", None])), min_size=1, max_size=9
)


@given(ROWS)
def test_on_the_data_themselves_it_is_as_good_as_the_best_rule(
    rows: list[tuple[str | None, str | None]],
) -> None:
    frame = pl.DataFrame(rows, {"a": pl.String, "b": pl.String}, orient="row")
    found = Inference(column="b").attack(Scene(Table(frame, quasi=("a",)), original=frame))
    best = sum(
        max([own for key, own in rows if key == kind].count(value) for value in ("x", "y", None))
        for kind in {key for key, _ in rows}
    )
    assert found.rate.hits == best and found.baseline <= found.rate.value + 1e-12


def test_a_secret_under_other_labels_is_read_by_its_hierarchy_or_refused() -> None:
    """No guess is ever the very value, and nobody would seem to be hit."""
    values = [f"ill {kind}" for kind in range(8)]
    whole = Hierarchy.of_levels([values, ["few" if kind < 2 else "many" for kind in range(8)]])
    coarse = ORIGINAL.with_columns(
        ill=pl.col("ill").replace(values, ["few" if kind < 2 else "many" for kind in range(8)])
    )
    with pytest.raises(BadParameter, match=r"nothing in 'ill' .*--hierarchy ill=FILE"):
        GUESS.attack(scene(coarse))
    hierarchy = of_released(whole, coarse["ill"], "ill")
    read = scene(coarse)
    read = replace(read, table=read.table.with_hierarchies({"ill": hierarchy}))
    found = GUESS.attack(read)
    assert hierarchy.leaves == ("few", "many") and found.rate.value > found.baseline


MADE_UP = people(2000, 3)  # rows like the original's, of which none is anybody's: nobody's own row votes


def test_where_rows_that_fit_say_little_a_trained_model_is_stronger_and_is_what_is_told() -> None:
    by_vote = replace(GUESS, guess="vote").attack(scene(MADE_UP))
    by_model = replace(GUESS, guess="trained").attack(scene(MADE_UP))
    best = GUESS.attack(scene(MADE_UP))
    assert by_model.rate.value > by_vote.rate.value + 0.05
    assert best.rate.hits == by_model.rate.hits and best.details["guessed_by"] == "trained"
    assert best.details["rate_by_way"] == {"vote": by_vote.rate.value, "trained": by_model.rate.value}


def test_the_better_of_two_has_an_interval_that_allows_for_the_choice() -> None:
    alone, best = (replace(GUESS, guess=way).attack(scene(ORIGINAL)) for way in ("vote", "best"))
    assert best.details["guessed_by"] == "vote" and alone.rate.hits == best.rate.hits
    (low, high), (lower, higher) = alone.rate.interval, best.rate.interval
    assert lower < low < high < higher
    narrow, wide = (float(np.ptp(np.array(one.details["risk_interval"]))) for one in (alone, best))
    assert wide > narrow


def test_without_scikit_learn_the_vote_is_told_and_that_it_may_understate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_: str) -> None:
        raise ImportError

    monkeypatch.setattr("shoal.tables.attacks.inference.trained_model.importlib.import_module", missing)
    found = GUESS.attack(scene(ORIGINAL))
    assert found.details["guessed_by"] == "vote"
    assert "pip install 'shoal[models]'" in str(found.details["understates"])
    with pytest.raises(BadParameter, match="scikit-learn is not installed"):
        replace(GUESS, guess="trained").attack(scene(ORIGINAL))
    with pytest.raises(BadParameter, match="guesses by best, vote, trained, not 'luck'"):
        Inference(guess="luck")


def test_a_column_with_many_values_is_guessed_by_a_model_too() -> None:
    found = replace(GUESS, column="income", guess="trained").attack(scene(MADE_UP))
    assert found.rate.value == pytest.approx(found.baseline, abs=0.02), "nothing says what they earn"
