"""What must hold: one file per privacy model."""
