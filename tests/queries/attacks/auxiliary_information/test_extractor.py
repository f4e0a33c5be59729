"""The extractor, the pad and the sketch, exactly."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.queries.attacks.auxiliary_information.extractor import bits_of, extract, mend, number_of, sketch

NUMBERS = st.lists(st.integers(-(2**38), 2**38), min_size=1, max_size=5)


def every(length: int) -> list[np.ndarray]:
    return [np.array(bits, np.uint8) for bits in itertools.product((0, 1), repeat=length)]


def test_two_sources_collide_for_one_seed_in_so_many() -> None:
    # All seeds and all pairs: exactly universal, as the leftover hash lemma asks.
    for one, other in itertools.combinations(every(4), 2):
        equal = sum(
            np.array_equal(extract(one, seed, 2), extract(other, seed, 2)) for seed in every(4 + 2 - 1)
        )
        assert equal == 2**5 // 4


def test_it_is_a_toeplitz_matrix_times_the_source() -> None:
    chance = np.random.default_rng(1)
    source, seed = chance.integers(0, 2, 9).astype(np.uint8), chance.integers(0, 2, 12).astype(np.uint8)
    matrix = np.array([[seed[row - column + 8] for column in range(9)] for row in range(4)])
    assert np.array_equal(extract(source, seed, 4), matrix @ source % 2)


def test_with_the_seed_known_what_is_extracted_is_close_to_uniform() -> None:
    # A source of 5 bits of entropy in 7, 2 bits out: within 2^-1.5 by the lemma, in fact closer.
    sources = [bits for bits in every(7) if number_of(bits) % 4 == 3]
    distances = []
    for seed in every(8):
        seen = Counter(number_of(extract(source, seed, 2)) for source in sources)
        distances.append(sum(abs(seen[value] / len(sources) - 1 / 4) for value in range(4)) / 2)
    assert np.mean(distances) <= 1 / 4


@given(NUMBERS, st.integers(0, 50), st.data())
def test_a_sketch_mends_errors_up_to_its_tolerance(
    values: list[int], tolerance: int, data: st.DataObject
) -> None:
    answers = np.array(values, np.int64)
    errors = data.draw(
        st.lists(st.integers(-tolerance, tolerance), min_size=len(values), max_size=len(values))
    )
    offsets = sketch(answers, tolerance)
    assert (np.abs(offsets) <= tolerance).all()
    assert np.array_equal(mend(answers + np.array(errors), offsets, tolerance), answers)


@given(st.integers(0, 255))
def test_numbers_become_bits_and_back(value: int) -> None:
    assert number_of(bits_of(np.array([value]), 8)) == value


def test_a_seed_of_another_length_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="a seed of 5 bits"):
        extract(np.zeros(4, np.uint8), np.zeros(4, np.uint8), 2)
