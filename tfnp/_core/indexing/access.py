"""`tensor[index]`, `variable[index] = value`, and a new tensor with a value at an index."""

from __future__ import annotations

from tfnp._core.indexing.gather import read, read_some
from tfnp._core.indexing.scatter import update_at, write

__all__ = ["read", "read_some", "update_at", "write"]
