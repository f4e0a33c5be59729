"""The walk-based attack: accounts planted before the release are found again in it."""
