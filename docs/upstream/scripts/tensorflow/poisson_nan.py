"""Poisson and binomial draws with a parameter that is nan never return.

The rejection loop probably waits for a comparison that is never true of nan. Each of the three calls hangs by
itself.
"""

# /// upstream
# op = ["StatelessRandomPoisson", "RandomPoissonV2", "StatelessRandomBinomial"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "hang"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#55243"]
# state = "closed as stale"
# names = ["random.poisson", "random.binomial", "random.Generator.poisson", "random.Generator.binomial"]
# shows = "nan"
# seconds = 8
# ///

import numpy as np
import tensorflow as tf

print("expected a result or a Python exception", flush=True)
tf.random.stateless_poisson([1], [1, 2], np.nan)
tf.random.poisson([1], np.nan)
tf.random.stateless_binomial([1], [1, 2], np.nan, 0.5)
print("actual   a result")
