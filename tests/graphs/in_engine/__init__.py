"""Tests of graphs that stay in an engine."""
