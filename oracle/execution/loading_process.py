"""Program of a process without the subject: it loads saved models, and calls them. It is run by its path, and imports
NumPy and TensorFlow only.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any


def serve(connection: Connection) -> None:
    """Answer requests of the form (folder, inputs, watched, weights) until the connection is closed.

    The answer is a list of the results and one of gradients; an exception stands for what raised it.
    """
    import tensorflow as tf

    folder, model = "", None
    connection.send_bytes(b"ready")
    while True:
        try:
            path, inputs, watched, weights = pickle.loads(connection.recv_bytes())
        except EOFError:
            return
        try:
            if path != folder:
                folder, model = path, tf.saved_model.load(path)
            answer = call(model, inputs, watched, weights)
        except Exception as error:  # noqa: BLE001 - whatever it raises is the answer
            answer = error, None
        try:
            data = pickle.dumps(answer)
        except Exception:  # noqa: BLE001 - pickling calls code of the object, which may raise any class
            data = pickle.dumps((RuntimeError(repr(answer[0])), None))
        connection.send_bytes(data)


def call(model: Any, inputs: list[Any], watched: list[int], weights: list[Any]) -> tuple[Any, Any]:
    """Return the results, and the gradient of the weighted float64 and complex128 results by the watched inputs."""
    import numpy as np
    import tensorflow as tf

    tensors = [tf.constant(array, tf.string if array.dtype.kind in "OUS" else None) for array in inputs]
    sources = [tensors[i] for i in watched]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        results = model.call(tensors)
    arrays = [np.asarray(result.numpy() if result.dtype == tf.bfloat16 else result) for result in results]
    if not weights:
        return arrays, None
    doubles = [result for result in results if result.dtype in (tf.float64, tf.complex128)]
    try:
        gradients = tape.gradient(doubles, sources, [tf.constant(weight) for weight in weights], "zero")
        return arrays, [np.asarray(tf.convert_to_tensor(gradient)) for gradient in gradients]
    except Exception as error:  # noqa: BLE001 - whatever it raises is the answer
        return arrays, RuntimeError(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # it ends with the process that has started it
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    serve(Connection(int(sys.argv[1])))
