"""Edges for stubs: nodes that lack some edges are linked until none lacks any."""
