"""Machinery on which all functions are built; it contains none of them by name."""
