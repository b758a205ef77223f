"""A delta-debugging shrinker: from a failing case to the simplest one that fails the same way."""
