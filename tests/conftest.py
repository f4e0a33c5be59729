"""Settings for all tests."""

import os

from hypothesis import settings

from postgres_server import durable_postgres, postgres

__all__ = ["durable_postgres", "postgres"]  # fixtures

# Shared machines stall; a slow example is not a wrong one.
# The same examples on every machine, so that a verdict is about the change; `make explore` draws new ones.
settings.register_profile("shoal", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("SHOAL_EXAMPLES", "shoal"))
