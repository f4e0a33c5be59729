"""Answers over HTTP: tokens, analysts, an owner, an audit log."""
