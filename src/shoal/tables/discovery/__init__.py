"""All that `inspect` tells: the role of a column, and columns that give others away."""
