"""The exception tree. Every message is one sentence that shows the value and the cure.

ShoalError
├── BadInput          exit code 2: the request or the data cannot be understood
│   ├── BadTable      a file or frame that is not a usable table
│   ├── BadHierarchy  a ladder that misses a value, is no refinement or runs in a circle
│   └── BadParameter  an unknown name or a value out of range
└── Unreachable       exit code 1: understood, but no release can keep the promise
"""


class ShoalError(Exception):
    """The root: what Shoal raises on purpose."""

    exit_code = 2


class BadInput(ShoalError):
    """The request or the data cannot be understood."""


class BadTable(BadInput):
    """A file or frame that is not a usable table."""


class BadHierarchy(BadInput):
    """A ladder that misses a value, is not a refinement, or runs in a circle."""


class BadParameter(BadInput):
    """An unknown name, or a value out of range."""


class Unreachable(ShoalError):
    """No release can keep the promise as it was asked; the message says what would make it reachable."""

    exit_code = 1
