"""Bugs of other libraries: scripts that show them, pages that tell of them, and whether they are still there."""
