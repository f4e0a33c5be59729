"""Where data lives: files and frames at the door, Polars inside."""
