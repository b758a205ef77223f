"""Machinery that knows TensorFlow and NumPy's metadata, and no function by name."""
