"""Where the private rows live: DuckDB in the process, PostgreSQL beside it."""

from shoal.core.extras import require

require("queries", "asking questions with privacy")
