"""Partitions of the nodes into groups: a start, and a search for the most likely one."""
