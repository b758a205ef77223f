"""Sorting, searching, sets and counting."""
