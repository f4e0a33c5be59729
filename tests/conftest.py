"""Settings for all tests."""

from hypothesis import settings

# Shared machines stall; a slow example is not a wrong one.
settings.register_profile("shoal", deadline=None)
settings.load_profile("shoal")
