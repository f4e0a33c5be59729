"""Requests about tables, one file per verb, and what several of them share."""
