"""What every model reads: classes, the domains of sensitive columns, and what several models share."""
