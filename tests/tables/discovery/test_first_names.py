"""First names are compared without case, so the list has none."""

from shoal.tables.discovery.first_names import FIRST_NAMES


def test_names_are_single_words_in_small_letters() -> None:
    assert all(name == name.lower() and name.isalpha() for name in FIRST_NAMES)
    assert {"mary", "jürgen", "françoise", "josé", "fatima"} <= FIRST_NAMES
