"""k-neighbourhood anonymity, and the two ways to it."""
