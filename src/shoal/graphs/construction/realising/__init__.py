"""A random graph for given degrees, which may need to be changed a little first."""
