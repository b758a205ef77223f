"""Relations: by name, how a result is compared with NumPy's."""
