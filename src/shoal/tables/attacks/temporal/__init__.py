"""Attacks on releases over time, and what became of rows between them."""
