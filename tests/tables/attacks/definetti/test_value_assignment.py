"""Who in a class has which of its values."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacks.definetti.value_assignment import INNER, MADE_UP, REST, Pairs, highest, learn_values


def case(classes: list[tuple[list[str], list[str]]]) -> tuple[Pairs, list[int], int]:
    """Classes as the people in them (everybody a look of their own) and their values."""
    values = sorted({value for _, dealt in classes for value in dealt})
    names = [who for people, _ in classes for who in people]
    first: list[int] = []
    width: list[int] = []
    value: list[int] = []
    room: list[float] = []
    share: list[float] = []
    for people, dealt in classes:
        own = sorted(set(dealt))
        first += [len(room)] * len(people)
        width += [len(own)] * len(people)
        value += [values.index(each) for each in own]
        room += [float(dealt.count(each)) for each in own]
        share += [dealt.count(each) / len(dealt) for each in own]
    pairs = Pairs(
        look=np.arange(len(names)),
        first=np.array(first),
        begins=np.concatenate(([0], np.cumsum(width))),
        weight=np.ones(len(names)),
        times=np.ones(len(names)),
        value=np.array(value),
        room=np.array(room),
        share=np.array(share),
    )
    return pairs, [sorted(set(names)).index(who) for who in names], len(values)


def listed(pairs: Pairs) -> list[tuple[int, int, int]]:
    """Every pair as its look, its value and its cell."""
    width = np.diff(pairs.begins).tolist()
    cells = [
        (int(look), int(first) + place)
        for look, first, many in zip(pairs.look, pairs.first, width, strict=True)
        for place in range(many)
    ]
    return [(look, int(pairs.value[cell]), cell) for look, cell in cells]


def slowly(pairs: Pairs, kinds: list[int], values: int, rounds: int) -> list[float]:
    """The same, in plain words."""
    every = listed(pairs)
    chance = [float(pairs.share[cell]) for _, _, cell in every]
    for _ in range(rounds):
        total = [sum(chance[p] for p, (_, v, _) in enumerate(every) if v == value) for value in range(values)]
        odds = []
        for look, value, _ in every:
            others = sum(
                chance[p]
                for p, (who, v, _) in enumerate(every)
                if v == value and kinds[who] == kinds[look] and who != look
            )
            odds.append(others / (total[value] / sum(total)) + MADE_UP * values)
        odds = [
            odd / max(odds[p] for p, (who, _, _) in enumerate(every) if who == look)
            for odd, (look, _, _) in zip(odds, every, strict=True)
        ]
        for _ in range(INNER):
            filled = [
                sum(odds[p] for p, (_, _, c) in enumerate(every) if c == cell)
                for cell in range(len(pairs.room))
            ]
            odds = [
                odd * float(pairs.room[cell]) / filled[cell]
                for odd, (_, _, cell) in zip(odds, every, strict=True)
            ]
            one = [
                sum(odds[p] for p, (who, _, _) in enumerate(every) if who == look)
                for look in range(len(kinds))
            ]
            odds = [odd / one[look] for odd, (look, _, _) in zip(odds, every, strict=True)]
        rests = np.abs(np.array(odds) - chance).mean() < REST
        chance = odds
        if rests:
            break
    return chance


CLASSES = st.lists(
    st.integers(1, 3).flatmap(
        lambda size: st.tuples(
            st.lists(st.sampled_from("mf"), min_size=size, max_size=size),
            st.lists(st.sampled_from("xyz"), min_size=size, max_size=size),
        )
    ),
    min_size=1,
    max_size=4,
)


@given(CLASSES, st.integers(1, 4))
def test_the_compiled_loops_do_what_they_say(classes: list[tuple[list[str], list[str]]], rounds: int) -> None:
    pairs, kinds, values = case(classes)
    assert np.allclose(
        learn_values(pairs, [np.array(kinds)], values, rounds), slowly(pairs, kinds, values, rounds)
    )


def test_classes_teach_each_other() -> None:
    """In the first two classes smokers and cancer go together for certain; in the third that tells who."""
    pairs, kinds, values = case(
        [(["y"] * 99, ["c"] * 99), (["n"] * 99, ["f"] * 99), (["y", "n"], ["c", "f"])]
    )
    chance = learn_values(pairs, [np.array(kinds)], values, 30)
    assert chance[-4:].round(1).tolist() == [1.0, 0.0, 0.0, 1.0]


def test_classes_that_are_all_alike_teach_nothing() -> None:
    pairs, kinds, values = case([(["y", "n"], ["c", "f"])] * 5)
    assert np.allclose(learn_values(pairs, [np.array(kinds)], values, 30), 0.5)


def test_nobody_is_no_trouble() -> None:
    pairs, kinds, values = case([(["y"], ["c"])])
    none = np.zeros(0, np.int64)
    nobody = np.zeros(0)
    empty = replace(pairs, look=none, first=none, begins=np.zeros(1, np.int64), weight=nobody, times=nobody)
    assert len(learn_values(empty, [np.array(kinds)], values, 3)) == 0


def test_places_for_kinds_and_values_that_nobody_shares_take_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs, kinds, values = case([(["a", "a", "b"], ["flu", "cold", "flu"]), (["a", "b"], ["flu", "ulcer"])])
    dense = learn_values(pairs, [np.array(kinds)], values, 5)
    monkeypatch.setattr("shoal.tables.attacks.definetti.value_assignment.DENSE", 0)
    assert np.array_equal(learn_values(pairs, [np.array(kinds)], values, 5), dense)


def test_a_look_that_stands_for_several_says_what_each_of_them_would() -> None:
    classes = [
        (["a", "a", "a", "b"], ["flu", "flu", "cold", "ulcer"]),
        (["a", "b", "b"], ["flu", "ulcer", "ulcer"]),
    ]
    pairs, kinds, values = case(classes)
    every = learn_values(pairs, [np.array(kinds)], values, 6)
    some = np.array([0, 3, 4, 5])  # the first of those alike
    width = np.diff(pairs.begins)[some]
    once = replace(
        pairs,
        look=some,
        first=pairs.first[some],
        begins=np.concatenate(([0], np.cumsum(width))),
        weight=np.ones(4),
        times=np.array([3.0, 1.0, 1.0, 2.0]),
    )
    taken = np.concatenate(
        [np.arange(at, at + many) for at, many in zip(pairs.begins[some], width, strict=True)]
    )
    assert np.allclose(learn_values(once, [np.array(kinds)], values, 6), every[taken], atol=1e-12)


def test_of_equally_likely_values_the_first_is_taken() -> None:
    numbers = np.array([0.2, 0.4, 0.4 + 1e-15, 0.9, 0.1])
    assert highest(numbers, np.array([0, 3]), np.array([3, 5])).tolist() == [1, 3]
