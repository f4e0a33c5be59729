"""Answers about a graph with differential privacy: one file per mechanism. None takes a seed."""
