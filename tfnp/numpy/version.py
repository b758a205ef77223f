"""`numpy.version`: that of the NumPy whose arrays these are."""

from numpy.version import full_version, git_revision, release, short_version, version

__all__ = ["full_version", "git_revision", "release", "short_version", "version"]
