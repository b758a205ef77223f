"""References for TensorFlow's ops by NumPy and mpmath, tolerances, and deviations."""
