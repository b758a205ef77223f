"""Indexing: parse an expression, plan it, gather or scatter."""
