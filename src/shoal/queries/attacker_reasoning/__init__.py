"""What attacks on questions share."""
