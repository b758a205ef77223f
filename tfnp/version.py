"""The version of tfnp, by the names that `numpy.version` has."""

version = "0.1.0"
full_version = short_version = version
release = True
