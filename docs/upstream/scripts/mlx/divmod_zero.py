"""mlx.core.divmod of integers by zero ends the process, with SIGFPE on x86.

NumPy gives (0, 0) with a warning. `floor_divide` and `remainder` of the same arrays give 0 and the dividend.
"""

# /// upstream
# op = ["mlx.core.divmod"]
# part = "C++, CPU backend"
# modes = ["eager"]
# dtypes = ["int32", "int64"]
# effect = "crash"
# verdict = "defect"
# search = "reported"
# issues = ["ml-explore/mlx#4442"]
# state = "closed; mended after 0.32.4 by ml-explore/mlx#4442"
# names = ["divmod"]
# signals = ["SIGFPE"]
# ///

import sys

import mlx.core as mx
import numpy as np

mx.set_default_device(mx.cpu)
with np.errstate(divide="ignore"):
    print("expected", [part.tolist() for part in np.divmod(np.array(-1), 0)], flush=True)
actual = [part.tolist() for part in mx.divmod(mx.array(-1), mx.array(0))]
print("actual  ", actual)
sys.exit(0)
