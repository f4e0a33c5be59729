"""Audits: how much privacy something really costs, bounded from below by what it does."""
