"""How fast Shoal is, each time against what a user would pick instead, as a ratio in one run."""
