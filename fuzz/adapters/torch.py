"""Adapters of PyTorch: of its functions under the array API's names, and of `torch._numpy`, which `torch.compile` uses.

`torch.compile` stops before it generates machine code, which takes seconds for each function: what it traces and
decomposes runs.
"""

from oracle import Adapter, ByDesign

ERRORS = ByDesign(
    "errors", "raises its own error classes, and accepts calls that NumPy rejects", ("different error", "missing error")
)
NUMBERS = ByDesign(
    "arrays only",
    "takes tensors, not scalars, lists or text",
    ("spurious error",),
    r"must be (a )?Tensor|not (float|int|bool|complex|list|tuple|str|NoneType)\b|(no|has no) attribute|Invalid device|"
    "invalid combination of arguments|array_api_compat|Unrecognized|unexpected keyword|positional argument|as element|"
    "not a supported array type|must be (float|int|tuple|Number|bool)|failed to convert|cannot create|not iterable",
)
REFUSALS = ByDesign(
    "refusals",
    "takes fewer dtypes, mixtures of dtypes, dimensions and options than NumPy, and its errors say so",
    ("spurious error",),
    "(?i)dtype|ScalarType|scalar type|expect|only supports?|does not support|did not match|at least|must be|must have|"
    r"ZeroDivision|torch\.uint|dynamic shape|fake tensor|unrecognized|sum exactly|positive-definite|without overflow",
)
STRUCTURE = ByDesign("structure", "returns tuples in place of lists and named tuples", ("structure",))
COMPILER = (
    *(
        "torch._dynamo",
        "torch._dynamo.convert_frame",
        "torch._dynamo.backends.debugging",
        "torch._functorch.aot_autograd",
    ),
    *("torch._functorch.partitioners", "torch._inductor.decomposition", "torch._inductor.compile_fx"),
)

TORCH = Adapter(
    name="torch",
    imports="import torch\nimport array_api_compat.torch as xp\n\ntorch.set_default_dtype(torch.float64)",
    array="torch.Tensor",
    from_numpy="torch.tensor({})",
    to_numpy="{}.detach().resolve_conj().resolve_neg().cpu().numpy()",
    dtype="torch.{}",
    scalars=False,
    compiled={"compile": 'torch.compile({}, backend="aot_eager_decomp_partition")'},
    vmap="torch.vmap({})",
    grad="torch.func.grad({})",
    devices={"CPU:0": 'torch.device("cpu")', "GPU:0": 'torch.device("cuda")'},
    promotes=False,  # its page "Tensor Attributes"; Python's floats are made float64 by the setting above
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature", "initial"}),
    absent=("median", "nanmedian", "typename", "*info"),  # median takes the lower middle; some names and classes differ
    methods=False,
    by_design=(ERRORS, NUMBERS, REFUSALS, STRUCTURE),
    preload=COMPILER,
)

TORCH_NUMPY = Adapter(
    name="torch._numpy",
    imports="import torch\nimport torch._numpy as tnp",
    module="tnp",
    array="tnp.ndarray",
    from_numpy="tnp.asarray(torch.tensor({}))",
    to_numpy="{}.tensor.resolve_conj().resolve_neg().numpy()",
    dtype="tnp.{}",
    scalars=False,  # of NumPy's, which are its own only under torch.compile
    promotes=False,
    lacks=frozenset({"where", "order", "subok", "like", "casting", "signature", "initial", "out"}),
    absent=("*info", "issubdtype"),
    by_design=(ERRORS, NUMBERS, REFUSALS, STRUCTURE),
    preload=("torch._dynamo",),
)
