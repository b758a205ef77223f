"""A case with other numbers in it: wider, flushed, perturbed, refilled."""
