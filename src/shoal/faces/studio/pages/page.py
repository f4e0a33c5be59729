"""What a page of the studio says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from shoal.faces.studio.desk import Desk


@dataclass(frozen=True)
class Page:
    """A page: where it is, what it is called, and a function that builds it.

    A page about a `table` is at /table/NAME/PATH and finds the table as `desk.table`; one about the `project`
    is at /PATH.
    """

    path: str
    title: str
    icon: str  # of the Material icons that NiceGUI brings
    why: str  # one sentence under the title: why somebody would do this
    build: Callable[[Desk], None]
    about: Literal["table", "project"] = "table"
