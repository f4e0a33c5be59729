"""What every room shares: protocols, outcomes, errors, chance. Imports nothing else of ours."""
