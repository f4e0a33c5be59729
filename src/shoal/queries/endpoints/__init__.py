"""Somebody who answers questions about people: a plain database, a service, a function, or an alternative."""
