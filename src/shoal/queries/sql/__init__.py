"""SQL as a tree: what may be asked, how far one person reaches, and the query rebuilt from it."""
