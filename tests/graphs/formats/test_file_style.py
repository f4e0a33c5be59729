"""The style of a file."""

from __future__ import annotations

import dataclasses

import pytest

from shoal.graphs.formats.file_style import COLUMNS, MARKED, TEXT, Style


def test_a_style_is_frozen_and_every_extension_has_one_format() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Style().separator = ";"  # type: ignore[misc]
    known = (*TEXT, *COLUMNS, *MARKED)
    assert len(set(known)) == len(known)
