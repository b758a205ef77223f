"""Cases saved by `tf.saved_model.save`, and loaded and run in a process that never imports the subject."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import finite_differences as differences
from oracle.execution.convert import NoTensor, to_tensor
from oracle.execution.executors import FETCHER, Compiled, Runner, Unsupported, make_function
from oracle.modes import FIRST_DEVICE
from oracle.reference.outcome import Outcome, destinations
from oracle.sandbox.progress import step
from oracle.subject import Subject

OPS_OF_PYTHON = frozenset({"EagerPyFunc", "PyFunc", "PyFuncStateless"})
STARTING = 10.0  # how many times longer than a call the start of a process may take, which imports TensorFlow


class LoadingProcess:
    """A process with NumPy and TensorFlow that loads saved models. It is started when it is first needed."""

    def __init__(self) -> None:
        self.owner = 0
        self.process: subprocess.Popen[bytes] | None = None
        self.connection: Connection | None = None

    def start(self) -> None:
        """Start the process, unless this process has one that runs. One that is killed meanwhile is started again."""
        if self.process is not None and self.owner == os.getpid() and self.process.poll() is None:
            return
        step("start of a process that loads models", STARTING)
        try:
            self._launch()
        except (EOFError, OSError):
            self._launch()

    def _launch(self) -> None:
        """Start a process, and wait until it is ready. Raises EOFError or OSError if it ends before."""
        self.connection, other = Pipe()
        program = Path(__file__).with_name("loading_process.py")
        command = [sys.executable, "-P", str(program), str(other.fileno())]
        with open(os.devnull, "wb") as null:
            self.process = subprocess.Popen(command, pass_fds=[other.fileno()], stdout=null, stderr=null)
        self.owner = os.getpid()
        other.close()
        self.connection.recv_bytes()

    def ask(
        self, folder: str, inputs: list[np.ndarray], watched: list[int], weights: list[np.ndarray]
    ) -> tuple[list[np.ndarray], Any]:
        """Return the results of the model in a folder, and gradients. Raises what loading it or calling it raises."""
        assert self.connection is not None
        try:
            self.connection.send_bytes(pickle.dumps((folder, inputs, watched, weights)))
            results, gradients = pickle.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            status = self.process.wait() if self.process is not None else None
            raise RuntimeError(f"the process that loads the saved call ended with status {status}") from None
        if isinstance(results, Exception):
            raise results
        return results, gradients


LOADING = LoadingProcess()


class SavedCall(Compiled):
    """Runs a case in a `tf.function` that was saved with default options and loaded in a process without the subject.

    There the gradient of the double results, times random weights, is taken, too; it must be that of the function
    before it was saved, unless TensorFlow loses it.
    """

    def __init__(self, case: Case, subject: Subject, device: str) -> None:
        super().__init__(case, subject, device)
        self.loses_gradients = False
        self.folder = tempfile.TemporaryDirectory(prefix="saved-")
        self.watched = [i for i, array in enumerate(self.arrays) if array.dtype in differences.DOUBLES]

    def make(self, tensors: Sequence[Any]) -> Callable[[Sequence[Any]], Any]:
        tf = sys.modules["tensorflow"]
        specs = [tf.TensorSpec(tensor.shape, tensor.dtype) for tensor in tensors]
        module = tf.Module()
        module.call = make_function(self.body, self.device, self.jit_compile, (specs,))
        tf.saved_model.save(module, self.folder.name)  # which traces it, once or twice
        self.traces = 0
        function = module.call.get_concrete_function()
        if runs_python_on_text(function):
            raise NoTensor("TensorFlow has no op for it: Python is called, which no model can store")
        self.loses_gradients = has_gradient_in_loop(function)
        return module.call

    def __call__(self, case: Case) -> Outcome:
        self.sibling = case
        return super().__call__(case)

    def run(self, arrays: list[np.ndarray]) -> Outcome:
        """Trace and save, load in the other process, call there, and compare gradients."""
        tensors = [to_tensor(array) for array in arrays]
        if self.function is None:
            self.function = self.make(tensors)
        is_comparable = differences.is_comparable(self.sibling) and not self.loses_gradients
        weights = differences.double_weights_of(self.sibling) if is_comparable else None
        gradients = self.differentiate(tensors, weights) if weights else None
        inputs = [FETCHER.array(tensor) for tensor in tensors]
        results, loaded = LOADING.ask(
            self.folder.name, inputs, self.watched, weights if weights and gradients is not None else []
        )
        outcome = Outcome(FETCHER.assemble(self.result, results))
        if gradients is not None:
            outcome.unlike = find_unlike(loaded, gradients)
        return outcome

    def differentiate(self, tensors: Sequence[Any], weights: Sequence[np.ndarray]) -> list[np.ndarray] | None:
        """Return the gradient of the function before it was saved, or None if that raises."""
        tf = sys.modules["tensorflow"]
        sources = [tensors[i] for i in self.watched]
        try:
            with tf.GradientTape() as tape:
                tape.watch(sources)
                results = self.function(tensors)
            doubles = [result for result in results if result.dtype in (tf.float64, tf.complex128)]
            gradients = tape.gradient(doubles, sources, list(map(to_tensor, weights)), "zero")
        except Exception:  # noqa: BLE001 - an error of the gradient is a finding of the gradient modes, not of this one
            return None
        finally:
            self.traces = 0
        return [FETCHER.array(tf.convert_to_tensor(gradient)) for gradient in gradients]


def list_nodes(function: Any) -> list[Any]:
    """Return the nodes of a graph, and of the functions, branches and bodies of loops in it."""
    graph = function.graph.as_graph_def()
    return [*graph.node, *(node for one in graph.library.function for node in one.node_def)]


# Upstream bug: tensorflow-saved-gradient-in-loop
def has_gradient_in_loop(function: Any) -> bool:
    """Return whether the body of a loop has an op with a gradient of its own, which is lost when a model is loaded."""
    bodies = {node.attr["body"].func.name for node in list_nodes(function) if "body" in node.attr}
    functions = function.graph.as_graph_def().library.function
    nodes = (node for one in functions if one.signature.name in bodies for node in one.node_def)
    return any("_gradient_op_type" in node.attr for node in nodes)


def runs_python_on_text(function: Any) -> bool:
    """Return whether a graph calls Python with text or for text when it runs, as one of `tf.numpy_function` does."""
    text = sys.modules["tensorflow"].string.as_datatype_enum
    return any(
        text in (*node.attr["Tin"].list.type, *node.attr["Tout"].list.type)
        for node in list_nodes(function)
        if node.op in OPS_OF_PYTHON
    )


def find_unlike(loaded: Any, gradients: Sequence[np.ndarray]) -> str:
    """Return how gradients after loading differ from those before, or ""."""
    if isinstance(loaded, Exception):
        return f"the gradient of the loaded call raises {loaded}"
    unlike = differences.find_unlike(loaded, gradients, list)
    return unlike.replace("in eager mode", "before it was saved")


def prepare_saved(case: Case, subject: Subject, device: str) -> Runner:
    """Return a runner that saves the case. A case without arrays, that writes to arrays, or that draws random numbers
    from a state of the subject's, which is a variable that no model owns, is unsupported; so is one of text that runs
    Python.
    """
    is_random = any(call.name.startswith("random.") for call in case.calls())
    if device != FIRST_DEVICE or destinations(case) or not case.arrays() or is_random:
        return Unsupported()
    LOADING.start()
    return SavedCall(case, subject, device)
