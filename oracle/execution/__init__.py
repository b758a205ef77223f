"""The modes in which a subject runs a case. Only this package imports TensorFlow."""
