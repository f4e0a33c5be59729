"""Attacks on the promises, played as a stranger would."""
