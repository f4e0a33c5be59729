"""Requests about graphs, one file per verb, and what several of them share."""
