"""Query auditing: what was answered before decides whether a question is answered."""
