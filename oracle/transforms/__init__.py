"""Metamorphic transforms: a case in higher precision, flushed, perturbed, refilled or reshaped."""
