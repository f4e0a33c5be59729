"""Promises about graphs: one file per model."""
