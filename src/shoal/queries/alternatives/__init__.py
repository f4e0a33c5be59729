"""Ways to answer questions about people: those that are tried instead of noise with a budget, and that."""
