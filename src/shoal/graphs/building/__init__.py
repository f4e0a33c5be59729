"""What the methods build with: target degrees, realisability, edges for stubs. None is a method by itself."""
