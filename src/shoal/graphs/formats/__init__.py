"""Graphs from files and from objects of other libraries, and back: one file per format."""
