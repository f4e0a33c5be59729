"""Attackers who play by no rules: each test is one of them, with everything that a stranger can get."""
