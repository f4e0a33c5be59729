"""How often one value may occur in a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Bound:
    """How often one value may occur in a class: up to a share of its rows, or among l distinct ones."""

    by: Literal["share", "distinct"]
    figure: float  # the largest share, or l
    values: tuple[str, ...] = ()  # the values it speaks of, none for all
