"""A release: what it knows of itself, and what it is compared with."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.core.errors import BadTable
from shoal.core.outcome import Promise
from shoal.tables.assemble_release import assemble
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.release import TableRelease
from tables.test_assemble_release import ROWS, assembled, decades, people


def test_a_release_of_no_rows_is_refused() -> None:
    with pytest.raises(BadTable, match="no rows"):
        assembled(people(), np.zeros(ROWS, np.bool_), 1)


def released() -> TableRelease:
    table = people(20)
    kept = assemble(table, decades(table), np.arange(20) < 15, 3)
    return TableRelease(kept, 20, "optimal", {"ill": Domain.of(table.frame, "ill")}, {"loss": 0.25}, 2)


def test_a_release_knows_what_went_out_and_becomes_json() -> None:
    release = released()
    assert (release.released, release.suppressed) == (15, 5)
    promised = release.promised((Promise("k-anonymity", float("inf"), True, "k-anonymity(k=2)"),))
    assert release.promises == ()
    document = promised.to_json()
    assert (document["rows"], document["released"], document["suppressed"]) == (20, 15, 5)
    assert document["classes"] == 2
    assert document["losses"] == {"loss": 0.25}
    assert document["levels"] is None
    assert document["optimal"] is None
    models = document["models"]
    assert isinstance(models, list)
    assert models[0]["level"] is None  # JSON has no infinity


def test_released_rows_are_compared_with_the_table_before_suppression() -> None:
    release = released()
    seen = release.seen()
    assert seen.rows == 15
    assert seen.sensitive["ill"].domain.totals.sum() == 20
    own = TCloseness(0.5).level(seen)
    alone = TCloseness(0.5).level(TableRelease(release.table, 20, "optimal", {}, {}, 3).seen())
    assert own != alone
