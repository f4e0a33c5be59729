"""Who is told from others by the number of friends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shoal.core.contract import Measure
from shoal.graphs.appraisal.anonymity import Anonymity
from shoal.graphs.appraisal.degrees import Degrees
from shoal.graphs.graph import Graph


@dataclass(frozen=True)
class DegreeAnonymity(Measure[Graph, Anonymity]):
    """How many people share the rarest number of friends, and how many people are alone with theirs.

    Liu & Terzi, "Towards identity anonymization on graphs", 2008.
    """

    name: ClassVar[str] = "degree-anonymity"

    def measure(self, graph: Graph) -> Anonymity:
        """By degree alone."""
        return Anonymity.of_sizes(np.asarray(Degrees.of(graph.undirected()).counts, np.int64))
