"""Attacks on graphs, one file each."""
