"""Graphs from files and objects, and back."""
