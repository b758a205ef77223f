"""Array manipulation routines."""
