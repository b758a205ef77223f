"""The part of a script that saves a call, and loads it in a process without the subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fuzz.repro.gradient import DOUBLES, SAME, format_array, format_call
from oracle import Case
from oracle.harness import double_weights_of

LOAD = (
    "import pickle, sys, numpy as np, tensorflow as tf",
    'inputs = [tf.constant(each) for each in pickle.load(open(sys.argv[1] + "/inputs", "rb"))]',
    "function = tf.saved_model.load(sys.argv[1]).function",
)
KEEP = 'pickle.dump(tf.nest.map_structure(np.asarray, result), open(sys.argv[1] + "/result", "wb"))'


def define_saved(names: Sequence[str], call: str, then: Sequence[str] = ("result = function(*inputs)",)) -> list[str]:
    """Return the lines that define `function` as a call, and `load_and_call` as the same after it was saved and loaded.

    `then` are the lines that assign `result` in the process that loads it.
    """
    parameters = f" {', '.join(names)}" if names else ""
    specs = ", ".join(f"tf.TensorSpec({name}.shape, {name}.dtype)" for name in names)
    return [
        "import pathlib, pickle, subprocess, sys, tempfile",
        f"function = tf.function(lambda{parameters}: {call}, input_signature=[{specs}], autograph=False)",
        'program = """',
        *LOAD,
        *then,
        KEEP,
        '"""',
        "def load_and_call(*inputs):",
        "    module, folder = tf.Module(), tempfile.mkdtemp()",
        "    module.function = function",
        "    tf.saved_model.save(module, folder)",
        '    pathlib.Path(folder, "inputs").write_bytes(pickle.dumps([each.numpy() for each in inputs]))',
        '    subprocess.run([sys.executable, "-c", program, folder], check=True)',
        '    return pickle.loads(pathlib.Path(folder, "result").read_bytes())',
    ]


def compare_gradients(case: Case, names: Mapping[int, str], alias: str) -> list[str]:
    """Return the lines that compare the gradient of a call before and after it was saved, and exit."""
    inputs = [names[id(array)] for array in case.arrays()]
    watched = [i for i, array in enumerate(case.arrays()) if array.dtype.char in "dD"]
    weights = ", ".join(map(format_array, double_weights_of(case) or []))
    gradient = [
        DOUBLES,
        f"weights = [{weights}]",
        f"watched = [inputs[i] for i in {watched}]",
        "with tf.GradientTape() as tape:",
        "    tape.watch(watched)",
        "    results = doubles(function(*inputs))",
        'result = tape.gradient(results, watched, list(map(tf.constant, weights)), "zero")',
        "result = [tf.convert_to_tensor(gradient) for gradient in result]",
    ]
    call = format_call(case, alias, names)
    return [
        *define_saved(inputs, call, gradient),
        f"inputs = [{', '.join(f'tf.constant({name})' for name in inputs)}]",
        "actual = load_and_call(*inputs)",
        *gradient,
        "expected = result",
        'print(f"before: {expected!r}\\nloaded: {actual!r}")',
        SAME,
        "raise SystemExit(0 if same else 1)",
    ]
