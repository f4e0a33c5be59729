"""Unsorted matching, and the orders of rows."""
