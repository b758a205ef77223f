"""Polynomials in the style of poly1d."""
