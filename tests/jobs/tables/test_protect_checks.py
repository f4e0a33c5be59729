"""What is refused before any work is done."""

import pytest

from jobs.tables.test_source import TABLE
from shoal.core.errors import BadParameter
from shoal.jobs.tables.protect import check_values
from shoal.jobs.tables.source import check_fits
from shoal.tables.models.confidence_bounding import ConfidenceBounding
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.verbs import check_size


def test_a_k_beyond_the_table_is_refused_for_a_release_only() -> None:
    check_size(KAnonymity(8), TABLE.rows, "table", "row")
    with pytest.raises(BadParameter, match="k=9 is larger than the table, which has 8 rows"):
        check_size(KAnonymity(9), TABLE.rows, "table", "row")
    check_fits(KAnonymity(9), TABLE)


def test_a_model_of_values_needs_a_sensitive_column() -> None:
    with pytest.raises(BadParameter, match="--sensitive"):
        check_fits(LDiversity(2), TABLE)
    with pytest.raises(BadParameter, match="'zip'"):
        check_fits(LDiversity(2, column="zip"), TABLE.with_roles(sensitive=("ill",)))


def test_a_value_that_nobody_has_is_not_protected_in_silence() -> None:
    table = TABLE.with_roles(quasi=["zip"], sensitive=["ill"])
    check_values(ConfidenceBounding(0.5, ("flu", "heart")), table)
    check_values(KAnonymity(2), table)
    message = "names the value 'fluu' in values, which ill does not have; it has flu, heart"
    with pytest.raises(BadParameter, match=message):
        check_values(ConfidenceBounding(0.5, ("heart", "fluu")), table)
    with pytest.raises(BadParameter, match="names the value 'fluu'"):
        check_values(ConfidenceBounding(0.5, ("fluu",), "ill"), table)
