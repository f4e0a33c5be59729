"""The method `synthetic` and its helpers."""
