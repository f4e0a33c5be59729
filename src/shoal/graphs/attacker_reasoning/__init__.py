"""What at least two attacks on graphs share."""
