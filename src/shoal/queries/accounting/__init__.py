"""What answers cost together: pure ε, (ε, δ) and zCDP, in exact arithmetic."""
