"""What a table gives away and what its protection cost, as numbers."""
