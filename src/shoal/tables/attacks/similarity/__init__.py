"""The similarity attack, and what makes values alike."""
