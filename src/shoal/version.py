"""The version, in one place for the package, the manifest and the command line."""

__version__ = "0.1.0"
