"""Metamorphic transforms: a case with other values in it, more precise, flushed, perturbed or refilled."""
