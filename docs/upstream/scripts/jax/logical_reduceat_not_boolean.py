"""jnp.logical_or.reduceat gives numbers in place of booleans: [0, -1] becomes -1.

A single element is handed on as it is, in its own dtype. NumPy makes booleans.
"""

# /// upstream
# op = ["jax.numpy.logical_or.reduceat"]
# part = "Python"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["logical_*.reduceat"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = np.logical_or.reduceat([0.0, -1.0], [1]).tolist()
actual = jnp.logical_or.reduceat(jnp.asarray([0.0, -1.0]), jnp.asarray([1])).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
