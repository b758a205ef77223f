"""NumPy's API on TensorFlow: arrays are plain tensors."""

__version__ = "0.1.0"
