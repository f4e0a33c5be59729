"""What the owner of data declares, in Python, TOML, JSON or flags."""
