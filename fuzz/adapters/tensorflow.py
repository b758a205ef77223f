"""Adapters of libraries whose arrays are TensorFlow's tensors; they run in TensorFlow's modes."""

from oracle import Adapter, ByDesign

KERAS = Adapter(
    name="keras.ops",
    imports='import keras\nfrom keras import ops\n\nkeras.config.set_floatx("float64")',
    module="ops",
    tensors=True,
    environment={"KERAS_BACKEND": "tensorflow"},
    promotes=False,  # its functions make float32 of integers, whatever floatx is
    default_dtype="float32",
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature"}),
    by_design=(
        ByDesign(
            "errors", "raises classes of its own, and takes what NumPy refuses", ("different error", "missing error")
        ),
        ByDesign("structure", "returns tensors, and lists of them", ("structure",)),
        ByDesign(
            "kernels",
            "TensorFlow has no kernel for the dtype or for operands of two dtypes, and says so",
            ("spurious error",),
            "Could not find device for node|Value for attr|has DataType \\w+ not in list|Cannot convert .* dtype"
            "|Invalid dtype|division by zero",
        ),
        ByDesign("text", "has no text", ("spurious error",), r"[Cc]ast string|Expected string|dtype='string'"),
        ByDesign(
            "static rank",
            "needs the rank of a symbolic tensor, and says so",
            ("spurious error",),
            "unknown rank|must have a statically known rank",
            modes=("graph_rank",),
        ),
        ByDesign(
            "arrays only", "takes tensors, no numbers, lists or texts", ("spurious error",), "object has no attribute"
        ),
    ),
)

STOCK = Adapter(
    name="tensorflow.experimental.numpy",
    imports="import tensorflow.experimental.numpy as tnp",
    module="tnp",
    tensors=True,
)
