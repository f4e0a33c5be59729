"""Which error of ours is which of the standard."""

import pytest

from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Spent, Unanswered
from shoal.queries.dbapi import errors


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Spent("x"), errors.BudgetSpent),
        (NotAllowed("x"), errors.NotSupportedError),
        (BadParameter("x"), errors.ProgrammingError),
        (Unanswered("x"), errors.OperationalError),
        (ShoalError("x"), errors.OperationalError),
    ],
)
def test_every_error_has_a_class_of_the_standard(
    ours: ShoalError, theirs: type[errors.DatabaseError]
) -> None:
    found = errors.standard_error(ours)
    assert type(found) is theirs and str(found).startswith("x") and issubclass(theirs, errors.Error)
