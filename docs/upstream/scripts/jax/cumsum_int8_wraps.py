"""jnp.cumsum of int8 stays int8 and wraps, while jnp.sum widens: 100 + 100 is -56.

NumPy's cumsum widens small integers as its sum does.
"""

# /// upstream
# op = ["jax.numpy.cumsum"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int8", "int32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "the array API standard lets cumulative_sum widen, and JAX promotes by its own rules"
# search = "not searched"
# since = "wrong in every release tried, 0.4.26 to 0.10.2"
# names = ["cumsum", "cumulative_sum"]
# ///

import sys

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

expected = 200
actual = int(jnp.cumsum(jnp.asarray([100, 100], jnp.int8))[-1])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
