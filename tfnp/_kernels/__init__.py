"""Kernels that TensorFlow lacks or gets wrong, as functions of tensors of one dtype."""
