"""SQL as a tree: what may be asked, how far one person reaches, and the query rebuilt from it."""

from shoal.core.extras import require

require("queries", "asking questions with privacy")
