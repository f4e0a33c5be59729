"""What a hostile analyst or a stranger does, played against the real thing."""
