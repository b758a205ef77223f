"""`tf.vectorized_map`: a converter of Bitcast, which TensorFlow lacks, so that it runs our functions row by row.

The registry of converters is private; there is no public one.
"""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tfnp._core.tensorflow_internals import pfor


@functools.cache
def register_converters() -> None:
    """Have `tf.vectorized_map` convert Bitcast, unless TensorFlow can. All its elements are converted at once."""
    try:
        pfor.RegisterPFor("Bitcast")(_convert_bitcast)
    except KeyError:
        pass  # TensorFlow has a converter, or another copy of this module registered ours


def _convert_bitcast(pfor_input: Any) -> Any:
    return pfor.wrap(tf.bitcast(pfor_input.stacked_input(0), pfor_input.get_attr("type")), True)
