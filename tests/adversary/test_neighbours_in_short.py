"""A short run of the fuzzer of neighbours beside the quick tests, so that nobody breaks it unseen."""

from __future__ import annotations

import pytest

from adversary.neighbours import explore
from adversary.seeds import seed_of


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_some_hundred_pairs_of_neighbours_differ_in_nothing_but_noise() -> None:
    found = explore(seed_of("in short"), 600, shapes=8, questions=15)
    assert not found.differences, "\n\n".join(found.differences[:3])
    assert found.pairs >= 600 and len(found.parts) > 20, found.parts
