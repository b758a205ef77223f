"""Adapter of PyTensor: constants in, `eval` out; `jit` compiles a function of symbolic inputs in the default mode."""

from oracle import OTHER_ERRORS, Adapter

IMPORTS = """import pytensor
import pytensor.tensor as pt

pytensor.config.cxx = ""
pytensor.config.mode = "FAST_COMPILE"


def compiled(function):
    def run(*arrays):
        inputs = [each.type() for each in arrays]
        answer = function(*inputs)
        return pt.as_tensor(pytensor.function(inputs, answer, mode="FAST_RUN")(*[each.data for each in arrays]))

    return run
"""

PYTENSOR = Adapter(
    name="pytensor.tensor",
    imports=IMPORTS,
    module="pt",
    array="pt.TensorVariable",
    from_numpy="pt.constant({})",
    to_numpy="np.asarray({}.eval())",
    compiled={"jit": "compiled({})"},
    lacks=frozenset({"out", "where", "order", "subok", "like", "casting", "signature"}),
    methods=False,
    environment={"PYTENSOR_FLAGS": "base_compiledir=~/.cache/pytensor"},  # calls may write in caches only
    by_design=(OTHER_ERRORS,),
)
