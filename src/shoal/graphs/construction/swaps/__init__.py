"""Edges for given degrees: built anew as the papers do, or changed one by one (editing)."""
