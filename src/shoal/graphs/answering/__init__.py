"""What mechanisms about graphs share, and what they answer with."""
