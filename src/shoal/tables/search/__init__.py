"""What the methods search with: one idea a file, none of them a method by itself."""
