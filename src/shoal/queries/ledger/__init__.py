"""The durable budget: who asked what, at what cost, and what is left."""

from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.open_ledger import open_ledger, passing_ledger

__all__ = ["Ledger", "open_ledger", "passing_ledger"]
