"""Adapter of tinygrad's `Tensor`, whose methods have NumPy's names, on the CPU, for which it needs clang."""

from oracle import OTHER_ERRORS, Adapter

TINYGRAD = Adapter(
    name="tinygrad",
    imports="from tinygrad import Tensor, dtypes",
    module="Tensor",
    array="Tensor",
    from_numpy="Tensor({})",
    to_numpy="{}.numpy()",
    dtype="dtypes.{}",
    scalars=False,
    promotes=False,
    methods=False,
    environment={"DEV": "CPU"},
    by_design=(OTHER_ERRORS,),
)
