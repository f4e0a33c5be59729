"""Settings for all tests."""

import os

from hypothesis import settings
from hypothesis.internal.conjecture import providers

from postgres_server import durable_postgres, postgres

__all__ = ["durable_postgres", "postgres"]  # fixtures

# Shared machines stall; a slow example is not a wrong one.
# The same examples on every machine, so that a verdict is about the change; `make explore` draws new ones.
settings.register_profile("shoal", deadline=None, derandomize=True, max_examples=60)
settings.register_profile("explore", deadline=None, max_examples=200)
settings.load_profile(os.environ.get("SHOAL_EXAMPLES", "shoal"))
if settings.get_current_profile_name() == "shoal":
    # Hypothesis also tries constants of the modules that happen to be loaded: which those are depends on the
    # tests before, and on how they are spread over processes.
    providers._get_local_constants = lambda: providers._local_constants
