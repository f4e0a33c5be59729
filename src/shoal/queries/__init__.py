"""Live queries: a database that answers with privacy, and a budget that cannot be cheated."""
