"""`tensor[index]`, `variable[index] = value`, and a new tensor with a value at an index: parsed, planned, read, written."""

from __future__ import annotations

from tfnp._core.index_reads import read
from tfnp._core.index_writes import updated, write

__all__ = ["read", "updated", "write"]
