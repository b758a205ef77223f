"""Adapters of libraries whose arrays are TensorFlow's tensors; they run in TensorFlow's modes."""

from oracle import Adapter, ByDesign

KERAS = Adapter(
    name="keras.ops",
    imports='import keras\nfrom keras import ops\n\nkeras.config.set_floatx("float64")',
    module="ops",
    tensors=True,
    environment={"KERAS_BACKEND": "tensorflow"},
    promotes=False,  # its functions convert integers to float32, whatever floatx is
    default_dtype="float32",
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature"}),
    by_design=(
        ByDesign(
            "errors",
            "raises its own error classes, and accepts calls that NumPy rejects",
            ("different error", "missing error"),
        ),
        ByDesign("structure", "returns tensors, and lists of them", ("structure",)),
        ByDesign(
            "kernels",
            "TensorFlow has no kernel for the dtype or for operands of two dtypes, and its error says so",
            ("spurious error",),
            "Could not find device for node|Value for attr|has DataType \\w+ not in list|Cannot convert .* dtype"
            "|Invalid dtype|division by zero",
        ),
        ByDesign("text", "has no text", ("spurious error",), r"[Cc]ast string|Expected string|dtype='string'"),
        ByDesign(
            "static rank",
            "needs the rank of a symbolic tensor, and its error says so",
            ("spurious error",),
            "unknown rank|must have a statically known rank",
            modes=("graph_rank",),
        ),
        ByDesign(
            "arrays only", "takes tensors, not scalars, lists or text", ("spurious error",), "object has no attribute"
        ),
    ),
)

STOCK = Adapter(
    name="tensorflow.experimental.numpy",
    imports="import tensorflow.experimental.numpy as tnp",
    module="tnp",
    tensors=True,
)
