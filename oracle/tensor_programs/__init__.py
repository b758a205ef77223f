"""Small programs of TensorFlow's own ops: as data, as Python source, and with reference results."""
