"""Graphs that stay in an engine: edges there, the plan of what to add here."""
