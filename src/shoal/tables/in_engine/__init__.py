"""A table whose rows stay in an engine: what comes here are distinct rows with their counts."""
