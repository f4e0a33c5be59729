"""What is asked of a method: the strictest of its models, and no others."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.core.errors import BadParameter
from shoal.core.part_syntax import spell
from shoal.graphs.graph import Graph
from shoal.graphs.model_view import GraphModel


def largest_k(models: Sequence[GraphModel], reaches: str, method: str, graph: Graph) -> int:
    """The largest k among models of one name; other models, and more than there are nodes, are refused."""
    found = []
    for model in models:
        if model.name != reaches:
            other = f"; use method {model.usual_method}" if model.usual_method else ""
            raise BadParameter(f"{method} reaches {reaches}, not {spell(model)}{other}")
        found.append(model.people)
    if not found:
        raise BadParameter(f'{method} needs to know how far to go; give model "{reaches}(k=5)"')
    if max(found) > graph.nodes:
        raise BadParameter(
            f"{reaches}(k={max(found)}) needs at least {max(found):,} nodes, and the graph has "
            f"{graph.nodes:,}; lower k"
        )
    return max(found)
