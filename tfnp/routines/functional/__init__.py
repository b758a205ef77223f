"""Functional programming."""
