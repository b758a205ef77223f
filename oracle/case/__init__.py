"""Calls as data: in memory, in JSON, and as Python source; memory layouts of arrays."""
