"""Names that are written without a gap fall into their words."""

from shoal.tables.discovery.column_names import words
from shoal.tables.discovery.name_pieces import PIECES


def test_pieces_of_names_are_read_as_themselves() -> None:
    assert all(words(piece) == piece for piece in PIECES.split())


def test_a_name_without_a_gap_is_read_as_its_words() -> None:
    assert words("raceethnicity") == "race ethnicity"
    assert words("patientunitstayid") == "patient unit stay id"
