"""Releases of a library: environments with one of them, and the first that shows a finding."""
