"""Who breaks it: one file per attack."""
