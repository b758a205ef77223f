"""jnp.round of integers to tens is not implemented.

Why was not looked up in the sources.
"""

# /// upstream
# op = ["jax.numpy.round"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "error"
# verdict = "arguable"
# reason = "it raises NotImplementedError, and says so"
# search = "not searched"
# names = ["round", "around"]
# ///

import sys

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

expected = [20, 20]
try:
    actual = jnp.round(jnp.asarray([15, 25]), -1).tolist()
except Exception as error:
    actual = type(error).__name__
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
