"""Requests about live queries, one file per verb, and what several of them share."""
