"""What one column tells about another is found, and what only chance or a key explains is not."""

import math
from collections import Counter, defaultdict
from itertools import combinations
from random import Random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.discovery import dependencies as module
from shoal.tables.discovery.dependencies import Dependency, dependencies, together

Row = tuple[str | None, ...]
# Columns lean on two hidden ones, so that dependencies occur: exact, nearly exact and of pairs.
DRAWN = st.tuples(st.integers(0, 2**32), st.integers(1, 400), st.sampled_from([0.0, 0.004, 0.03, 0.2]))


def leaning(seed: int, rows: int, noise: float) -> pl.DataFrame:
    """Columns of which some follow from others, but for noise."""
    chance = Random(seed)
    first = [chance.randrange(chance.choice((2, 5, 30))) for _ in range(rows)]
    second = [chance.randrange(3) for _ in range(rows)]
    made: dict[str, list[object]] = {
        "first": [*first],
        "second": [*second],
        "renamed": [f"n{value}" for value in first],
        "coarse": [value // 2 if chance.random() >= noise else 99 for value in first],
        "both": [
            (a * 7 + b) % 4 if chance.random() >= noise else None for a, b in zip(first, second, strict=True)
        ],
        "free": [chance.randrange(4) for _ in range(rows)],
        "key": list(range(rows)),
        "same": [1] * rows,
    }
    return pl.DataFrame(
        {name: [None if v is None else str(v) for v in values] for name, values in made.items()}
    )


def counted(rows: list[Row], columns: tuple[int, ...], other: int) -> tuple[int, int]:
    """How many rows repeat the values of some columns, and how many differ from the commonest other value."""
    groups: dict[Row, Counter[str | None]] = defaultdict(Counter)
    for row in rows:
        groups[tuple(row[place] for place in columns)][row[other]] += 1
    return len(rows) - len(groups), len(rows) - sum(max(group.values()) for group in groups.values())


def chance_bound(compared: int, differing: int, guess: float) -> float:
    """The logarithm of Chernoff's bound on how likely so many agree if each does with chance `guess`."""
    share = 1 - differing / compared
    if share <= guess:
        return 0.0
    bound = share * math.log(guess / share)
    if share < 1:
        bound += (1 - share) * math.log((1 - guess) / (1 - share))
    return compared * bound


def twin(frame: pl.DataFrame) -> dict[tuple[tuple[str, ...], str], float]:
    """The same by counting every candidate over every row, with dictionaries."""
    rows, names = frame.rows(), frame.columns
    kinds = {name: len(set(frame[name].to_list())) for name in names}
    varied = [name for name in names if kinds[name] > 1]
    repeating = [name for name in varied if len(rows) - kinds[name] >= 0.1 * len(rows)]
    place = {name: names.index(name) for name in names}

    def holding(candidates: list[tuple[tuple[str, ...], str]]) -> dict[tuple[tuple[str, ...], str], float]:
        found = {}
        for determining, determined in candidates:
            compared, differing = counted(rows, tuple(place[name] for name in determining), place[determined])
            alone = [()] if len(determining) == 1 else [(name,) for name in determining]
            guess = max(
                1 - counted(rows, tuple(place[name] for name in few), place[determined])[1] / len(rows)
                for few in alone
            )
            if compared < 0.1 * len(rows) or differing > 0.05 * (1 - guess) * compared or compared == 0:
                continue
            if chance_bound(compared, differing, guess) <= math.log(1e-6 / len(candidates)):
                found[determining, determined] = 1 - differing / len(rows)
        return found

    singles = holding([((one,), other) for one in repeating for other in varied if one != other])
    doubles = set()
    for one, other in combinations(varied, 2):
        if ((one,), other) in singles and ((other,), one) in singles and one not in doubles:
            doubles.add(other)
    names = [name for name in repeating if name not in doubles]
    pairs = holding(
        [
            (pair, other)
            for pair in combinations(names, 2)
            if ((pair[0],), pair[1]) not in singles and ((pair[1],), pair[0]) not in singles
            for other in names
            if other not in pair and not any(((one,), other) in singles for one in pair)
        ]
    )
    return singles | pairs


@given(DRAWN)
def test_the_same_is_found_as_by_counting_every_row(drawn: tuple[int, int, float]) -> None:
    frame = leaning(*drawn)
    found = {(one.determining, one.determined): one.share for one in dependencies(frame)}
    assert found == pytest.approx(twin(frame))


@given(DRAWN)
def test_what_holds_exactly_is_never_lost_in_a_sample(drawn: tuple[int, int, float]) -> None:
    frame = leaning(*drawn)
    with pytest.MonkeyPatch.context() as patch:
        full = {(one.determining, one.determined) for one in dependencies(frame) if one.share == 1}
        patch.setattr(module, "SCREENS", (20, 80))
        patch.setattr(module, "MANY", 4)
        screened = {(one.determining, one.determined) for one in dependencies(frame) if one.share == 1}
    singles = {one for one in full if len(one[0]) == 1}
    assert singles <= screened


def test_a_number_beside_its_description_is_one_thing_with_it() -> None:
    frame = leaning(1, 310, 0.0)
    found = {(one.determining, one.determined): one for one in dependencies(frame)}
    assert found[("first",), "renamed"] == Dependency(("first",), "renamed", 1.0, mutual=True)
    assert found[("renamed",), "first"].mutual
    assert not found[("first",), "coarse"].mutual
    assert together(list(found.values())) == [("first", "renamed")]


def test_two_columns_together_give_away_a_third() -> None:
    chance = Random(3)
    rows = [(chance.randrange(4), chance.randrange(4)) for _ in range(500)]
    frame = pl.DataFrame(
        {"a": [a for a, _ in rows], "b": [b for _, b in rows], "c": [(a + b) % 4 for a, b in rows]}
    )
    assert {(one.determining, one.determined) for one in dependencies(frame)} == {
        (("a", "b"), "c"),
        (("a", "c"), "b"),
        (("b", "c"), "a"),
    }


def test_typing_errors_do_not_hide_a_dependency() -> None:
    frame = pl.DataFrame(
        {"code": [i % 6 for i in range(600)], "text": [f"t{i % 6}" for i in range(594)] + ["?"] * 6}
    )
    found = {one.determining: one for one in dependencies(frame)}
    assert found["code",].share == pytest.approx(0.99)
    assert found["text",].share >= 0.99
    assert found["code",].mutual


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([str(i) for i in range(300)], ["a", "b", "c"] * 100),  # a key
        (["a", "b", "c"] * 100, ["x"] * 300),  # a constant
        (["a", "b"] * 150, ["x"] * 298 + ["y", "z"]),  # nearly constant
        (["a", "b", "a", "b"], ["x", "y", "x", "y"]),  # four rows may agree by chance
        ([str(i // 2) for i in range(300)], [str(i * 7 % 11) for i in range(300)]),  # unrelated
    ],
)
def test_what_says_nothing_is_left_out(left: list[str], right: list[str]) -> None:
    assert dependencies(pl.DataFrame({"left": left, "right": right})) == []


def test_a_missing_value_is_a_value() -> None:
    frame = pl.DataFrame({"a": ["u", None, "v"] * 50, "b": [None, "x", "y"] * 50})
    assert [one.share for one in dependencies(frame)] == [1.0, 1.0]


def test_only_the_columns_named_are_looked_at_and_nothing_is_altered() -> None:
    frame = leaning(5, 300, 0.0)
    before = frame.clone()
    assert {one.determined for one in dependencies(frame, ["first", "coarse"])} == {"coarse"}
    assert frame.equals(before)


@pytest.mark.parametrize(
    "frame", [pl.DataFrame(), pl.DataFrame({"a": []}), pl.DataFrame({"a": ["x"], "b": ["y"]})]
)
def test_tables_without_anything_to_compare_have_none(frame: pl.DataFrame) -> None:
    assert dependencies(frame) == []
