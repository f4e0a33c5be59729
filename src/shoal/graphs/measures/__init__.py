"""What a change cost, and what risk is left: one file per measure."""
