"""Private k-means, and what it is made of."""
