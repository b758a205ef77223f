"""jnp.interp between an infinite value and a number is nan.

Half-way from inf to 1 is inf: the slope is -inf, and inf - inf is calculated for the value.
"""

# /// upstream
# op = ["jax.numpy.interp"]
# part = "Python"
# modes = ["eager", "jit"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "infinite values are nowhere mentioned"
# search = "not searched"
# names = ["interp"]
# shows = "inf"
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = float(np.interp(1.5, [1.0, 2.0], [np.inf, 1.0]))
actual = float(jnp.interp(1.5, jnp.asarray([1.0, 2.0]), jnp.asarray([np.inf, 1.0])))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
