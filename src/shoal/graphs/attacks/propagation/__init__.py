"""The passive attack of Narayanan and Shmatikov."""
