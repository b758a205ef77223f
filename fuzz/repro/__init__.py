"""Standalone reproducers: scripts that show one disagreement without the harness."""
