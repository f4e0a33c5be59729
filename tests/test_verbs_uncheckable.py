"""The record beside a release, and what it can vouch for."""

from pathlib import Path

import pytest

from shoal.engines.atomic_write import has_changed
from shoal.engines.files import fingerprint
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.multir_k_anonymity import MultirKAnonymity
from shoal.verbs import split_uncheckable


def test_a_file_is_another_when_its_fingerprint_is(tmp_path: Path) -> None:
    place = tmp_path / "a.csv"
    place.write_text("a\n1\n")
    assert not has_changed(place, fingerprint(place)) and not has_changed(place, None)
    assert has_changed(place, "another")


@pytest.mark.parametrize("vouched", [True, False])
def test_a_promise_of_a_method_stands_only_where_its_record_vouches_for_it(vouched: bool) -> None:
    models = [KAnonymity(2), DifferentialPrivacy(1)]
    told, promises, notes = split_uncheckable(models, lambda _: vouched, "rows")
    assert told == (models if vouched else models[:1]) and len(notes) == 1
    assert [promise.holds for promise in promises] == ([] if vouched else [None])


def test_what_was_counted_and_not_released_is_named() -> None:
    counting = MultirKAnonymity(2, "person")
    told, promises, notes = split_uncheckable([counting], lambda _: True, "rows", lambda _: "person")
    assert not told and promises[0].holds is None and "it counts 'person'" in notes[0]
