"""Ways to change a graph until its promises hold: one file per method."""
