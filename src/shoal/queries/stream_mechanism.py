"""Mechanisms that see their data element by element: what the command `stream` asks of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.mechanism import Mechanism

Told = TypeVar("Told", covariant=True)


@dataclass(frozen=True)
class StreamMechanism(Mechanism[NDArray[np.int64], Told], Generic[Told]):
    """A mechanism over a stream of whole numbers; what is below 0 says nothing, and is counted nowhere."""

    @abstractmethod
    def follow(self, elements: Iterable[int], /) -> Iterator[float]:
        """What may be told while the elements come, or when they end."""
