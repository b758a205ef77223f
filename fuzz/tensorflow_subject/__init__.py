"""TensorFlow's own ops as a subject: small programs of them, judged mode against mode and against NumPy."""
