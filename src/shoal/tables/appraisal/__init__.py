"""All that `measure` and `compare` tell about a table, and what measures look at."""
