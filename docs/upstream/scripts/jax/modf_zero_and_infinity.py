"""jnp.modf(-0.0) loses the sign of the fraction, and jnp.modf(inf) has the fraction nan.

C and NumPy say that the fraction has the sign of the number, and is zero for infinities.
"""

# /// upstream
# op = ["jax.numpy.modf"]
# part = "Python"
# modes = ["eager", "jit", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 0.4.26 to 0.10.2"
# names = ["modf"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = [float(np.modf(x)[0]) for x in (-0.0, np.inf)]
actual = [float(jnp.modf(x)[0]) for x in (-0.0, np.inf)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
