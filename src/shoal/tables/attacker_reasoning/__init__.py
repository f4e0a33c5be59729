"""What attackers hold and think with; the attacks themselves are in `attacks`."""
