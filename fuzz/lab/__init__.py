"""Bugs that users of other libraries reported, by which the harness is measured, in the releases that have them."""
