"""Changes made before a method runs: each a step from one table to another."""
