"""Faster algorithms for slow kernels of tfnp, each checked against today's and timed. Deleted when they are merged."""
