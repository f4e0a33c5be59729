"""A few edges of a graph changed until every node has the degree it should have."""
