"""Standalone reproducers: scripts that show one difference without the harness."""
