"""The exceptions that PEP 249 asks for, and which of ours is which."""

from __future__ import annotations

from shoal.core.errors import BadParameter, NotAllowed, ShoalError, Spent


class Warning(Exception):
    """Never raised; it belongs to the standard."""


class Error(Exception):
    """Whatever goes wrong here."""


class InterfaceError(Error):
    """A connection or cursor that is closed, or asked for what it does not have."""


class DatabaseError(Error):
    """What the service refuses, or does not do."""


class DataError(DatabaseError):
    """A parameter that cannot be written as SQL."""


class OperationalError(DatabaseError):
    """The service cannot be reached, is busy, or knows no such token."""


class BudgetSpent(OperationalError):
    """The budget does not cover the question; nothing was spent."""


class IntegrityError(DatabaseError):
    """Never raised; it belongs to the standard."""


class InternalError(DatabaseError):
    """Never raised; it belongs to the standard."""


class ProgrammingError(DatabaseError):
    """A question without an ε, or one that is not understood."""


class NotSupportedError(DatabaseError):
    """A question that cannot be answered with privacy."""


def standard_error(error: ShoalError) -> DatabaseError:
    """An error of ours as the standard calls it."""
    match error:
        case Spent():
            return BudgetSpent(f"{error}; ask its owner for more, or ask with a smaller epsilon")
        case NotAllowed():
            return NotSupportedError(str(error))
        case BadParameter():
            return ProgrammingError(str(error))
        case _:
            return OperationalError(str(error))
