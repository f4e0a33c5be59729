"""The pillar of tables: released once, offline."""
