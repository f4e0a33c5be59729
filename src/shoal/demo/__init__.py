"""Data to try Shoal with: made up, realistic, and the same on every machine."""

from shoal.demo.hospital import DIAGNOSES, OCCUPATIONS, patients, voters

__all__ = ["DIAGNOSES", "OCCUPATIONS", "patients", "voters"]

from shoal.core.extras import require

require("demo", "the demo")
