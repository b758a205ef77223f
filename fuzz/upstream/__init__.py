"""Bugs of other libraries: scripts that show them, pages about them, and checks whether they still occur."""
