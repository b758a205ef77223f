"""jnp.asarray([0.0, 5.0]) / 3.0 is 1.6666666666666665: the division is not correctly rounded.

The divisor is the same for all elements, and XLA seems to multiply by its reciprocal (a guess). IEEE 754 has the
quotient correctly rounded.
"""

# /// upstream
# op = ["jax.numpy.divide"]
# part = "XLA, CPU"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["divide", "true_divide", "ndarray.__truediv__"]
# ///

import sys

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

expected = [0.0, 5.0 / 3.0]
actual = (jnp.asarray([0.0, 5.0]) / 3.0).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
