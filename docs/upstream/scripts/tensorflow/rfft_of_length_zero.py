"""tf.signal.rfft and irfft with fft_length=[0] end the process.

Each of the two aborts the process, and so does irfft2d of a matrix of one column, whose default length is 0. An
InvalidArgumentError would do.
"""

# /// upstream
# op = ["RFFT", "IRFFT", "IRFFT2D"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "crash"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#74748", "tensorflow/tensorflow#123399"]
# state = "open"
# workarounds = ["tfnp/fft/axes.py"]
# names = ["fft.rfft", "fft.irfft", "fft.rfft2", "fft.rfftn"]
# signals = ["SIGABRT"]
# ///

import tensorflow as tf

print("expected a result or a Python exception", flush=True)
for transform, dtype in ((tf.signal.rfft, tf.float32), (tf.signal.irfft, tf.complex64)):
    try:
        transform(tf.ones([4], dtype), [0])
    except Exception as error:
        print("actual  ", type(error).__name__)
    else:
        print("actual   a result")
