"""jnp.frexp(5e-324) is (0.5, -1074), which is half of 5e-324.

The exponent is one too low: the smallest subnormal number is 0.5 * 2**-1073.
"""

# /// upstream
# op = ["jax.numpy.frexp"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 0.4.26 to 0.10.2"
# names = ["frexp"]
# ///

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

expected = [float(part) for part in np.frexp(5e-324)]
actual = [float(part) for part in jnp.frexp(5e-324)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
