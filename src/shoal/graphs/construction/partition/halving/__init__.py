"""Halving an order of nodes again and again, so that nodes with the same neighbours stand together."""
