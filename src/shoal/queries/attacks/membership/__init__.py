"""Whether somebody is in the data."""
