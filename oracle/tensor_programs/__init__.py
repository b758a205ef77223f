"""Small programs of TensorFlow's own ops: as data, as Python source, and what their results should be."""
