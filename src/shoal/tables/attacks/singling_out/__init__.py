"""Singling out, and the predicates it draws."""
