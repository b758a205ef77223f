"""A call as data: in memory, in JSON, as Python source; memory layouts."""
