"""Where the private rows live: DuckDB in the process, PostgreSQL beside it."""
