"""jnp.gcd of the lowest int64 and itself never returns.

The absolute value of the lowest integer is itself, and Euclid's algorithm then does not end; lcm(lowest, 3) and
small integers (int8 -128) hang as well.
"""

# /// upstream
# op = ["jax.numpy.gcd", "jax.numpy.lcm"]
# part = "Python"
# modes = ["eager", "jit"]
# dtypes = ["int64", "int8"]
# effect = "hang"
# verdict = "defect"
# search = "reported"
# issues = ["jax-ml/jax#40840"]
# names = ["gcd", "lcm"]
# seconds = 20
# ///

import sys

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)

expected = 2**63 - 2**63
print("expected", expected)
actual = int(jnp.gcd(jnp.asarray(-(2**63)), jnp.asarray(-(2**63))))
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
