"""How often a suggested role is the one that an expert would give: labelled columns, and what is counted."""
