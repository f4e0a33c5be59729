"""Everybody's secret from many counts."""
