"""Graphs: people and who knows whom."""
