"""Which exact search a lattice gets."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.objective import CellLoss, Objective
from shoal.tables.search.box_search import BoxSearch
from shoal.tables.search.lattice import Lattice
from shoal.tables.search.lattice_search import LARGEST_LATTICE, LatticeSearch
from shoal.tables.search.node_search import Models

MOST_IN_ARRAY = 500_000  # nodes; measured: an array of more takes longer than what it saves


def exact_search(
    lattice: Lattice,
    models: Models,
    objective: Objective,
    limit: int,
    within: Sequence[slice] = (),
    *,
    ends: bool,
) -> LatticeSearch | BoxSearch:
    """The search that suits the size of a lattice; `ends` is whether a time limit will end it.

    Refuses what might take days without an end, and what is optimised by an array that would be too large.
    """
    nodes = math.prod(lattice.shape)
    if isinstance(objective, CellLoss) and nodes > MOST_IN_ARRAY:
        if nodes > LARGEST_LATTICE and not ends:
            raise BadParameter(
                f"too many combinations of levels for an exact search without an end ({nodes:,}; it takes "
                f"{LARGEST_LATTICE:,}); --time-limit 600 gives the best of ten minutes and says how far off "
                "it can be, or use --method local-recoding or auto"
            )
        return BoxSearch(lattice, models, objective, limit, within)
    return LatticeSearch(lattice, models, objective, limit, within)
