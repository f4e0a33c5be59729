"""Randomness is handed in and can be replayed."""

from shoal.core.randomness import generator


def test_a_seed_replays_and_no_seed_does_not() -> None:
    assert generator(7).permutation(50).tolist() == generator(7).permutation(50).tolist()
    assert generator(7).permutation(50).tolist() != generator(8).permutation(50).tolist()
    assert generator(None).permutation(50).tolist() != generator(None).permutation(50).tolist()
