"""Ways out when the nodes that need edges cannot serve each other."""
