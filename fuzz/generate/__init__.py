"""Test-case generation: from the dotted name of a NumPy function to a call of it."""
