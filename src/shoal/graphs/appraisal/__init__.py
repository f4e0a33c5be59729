"""All that `measure` tells about a graph, and what measures share."""
