"""jnp.multiply.reduceat does not look at dtype=: float64 stays float64 where int64 is asked for.

A segment of one element is handed on as it is.
"""

# /// upstream
# op = ["jax.numpy.multiply.reduceat"]
# part = "Python"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 0.4.33 to 0.10.2"
# names = ["multiply.reduceat"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = str(np.multiply.reduceat(np.array([2.5]), [0], dtype=np.int64).dtype)
actual = str(jnp.multiply.reduceat(jnp.asarray([2.5]), jnp.asarray([0]), dtype=jnp.int64).dtype)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
