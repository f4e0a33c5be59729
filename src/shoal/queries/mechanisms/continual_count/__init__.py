"""Counts that are told again and again while a stream goes on."""
