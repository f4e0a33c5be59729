"""The exception tree. Every message is one sentence that shows the value and the cure.

ShoalError
├── BadInput          exit code 2: the request or the data cannot be understood
│   ├── BadTable      a file or frame that is not a usable table
│   ├── BadGraph      a file or object that is not a usable graph
│   ├── BadHierarchy  a hierarchy that misses a value, is no refinement or runs in a circle
│   ├── BadParameter  an unknown name or a value out of range
│   ├── NotInstalled  a part that comes with an extra, which is not installed
│   └── NotAllowed    a question that cannot be answered with privacy; nothing was spent
├── Unreachable       exit code 1: understood, but no release can keep the promise
├── Spent             exit code 1: the budget does not cover the question; nothing was spent
└── Unanswered        exit code 1: something failed after the cost was reserved; it stays spent
"""


class ShoalError(Exception):
    """The root: what Shoal raises on purpose."""

    exit_code = 2


class BadInput(ShoalError):
    """The request or the data cannot be understood."""


class BadTable(BadInput):
    """A file or frame that is not a usable table."""


class BadGraph(BadInput):
    """A file or object that is not a usable graph."""


class BadHierarchy(BadInput):
    """A hierarchy that misses a value, is not a refinement, or runs in a circle."""


class BadParameter(BadInput):
    """An unknown name, or a value out of range."""


class NotInstalled(BadInput):
    """A part that comes with an extra, which is not installed; the message has the command."""


class Unreachable(ShoalError):
    """No release can keep the promise as it was asked; the message says what would make it reachable."""

    exit_code = 1


class NotAllowed(BadInput):
    """A question outside of what can be answered with privacy; the message never depends on the rows."""


class Spent(ShoalError):
    """The budget does not cover the question; the message says what is left."""

    exit_code = 1


class Unanswered(ShoalError):
    """Something failed after the cost was reserved. One text for every cause, because causes tell."""

    exit_code = 1
