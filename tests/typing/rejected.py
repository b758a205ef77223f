"""Wrong calls, each of which type checkers report."""

import tfnp

x = tfnp.zeros((3, 4))
tfnp.sum(x, axis="rows")
tfnp.mean(x, keepdim=True)
tfnp.no_such_name(x)
tfnp.add(x)
tfnp.sort(object())
x.reshape(2, 6, order=1)
tfnp.linalg.inv()
