"""Who breaks a database that answers questions."""
