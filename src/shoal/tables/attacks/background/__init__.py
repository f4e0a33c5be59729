"""Background knowledge, and what it rules out."""
