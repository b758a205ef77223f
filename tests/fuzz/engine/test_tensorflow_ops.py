"""Programs of TensorFlow's ops in campaigns: what is found and blamed, and what the command line leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fuzz.__main__ import main
from fuzz.engine.domain import Unusable
from fuzz.engine.domains import find_domain
from fuzz.engine.run_options import Options
from fuzz.engine.scheduler import Item
from oracle import Case
from oracle.harness import OF_OPS, OPS, PREFIX, Death, Lease, Sandbox

TASKS = "fuzz.engine.tasks"
OPS_OF_TENSORFLOW = find_domain("tensorflow")


def call(op, *operands, dtype="float32"):
    """A call of an op; lists are inputs of that dtype, numbers constants of it."""

    def convert(operand):
        if not isinstance(operand, list | float):
            return operand
        array = np.array(operand, dtype)
        array.flags.writeable = isinstance(operand, list)
        return array

    return Case(PREFIX + op, tuple(map(convert, operands)))


@pytest.fixture(scope="module")
def ask():
    """A function that has a worker answer."""
    arguments = {"subject": "tensorflow", "devices": ("CPU:0", "CPU:1")}
    with Sandbox(1, f"{TASKS}:prepare", arguments, start=f"{TASKS}:start") as sandbox:

        def answer(function, *items, fresh=False):
            lease = Lease(0, f"{TASKS}:{function}", items, confirm=False, fresh=fresh, risky=fresh)
            (reply,) = sandbox.run([lease])
            return reply.results

        yield answer


MASKED = call("boolean_mask", [1, 2], np.array([False, False]))
CHAINS = {
    "a quotient amid a chain": (
        call("math.add", call("math.tanh", call("math.divide", [1e38], 2e38)), 1.0),
        "graph", ("math.divide",), "tracing; RealDiv in graph, float, by constant_folding",
    ),
    "a negated comparison amid a chain": (
        call("cast", call("math.logical_not", call("math.less", [np.nan, 1], 0.0)), np.dtype("float32")),
        "graph", ("math.less", "math.logical_not"),
        "graph; LogicalNot in graph, bool, by arithmetic_optimization",
    ),
    "a shape that XLA does not know amid a chain": (
        call("math.negative", call("linalg.diag", MASKED)),
        "xla", ("boolean_mask", "linalg.diag"), "XLA; MatrixDiagV3 in xla, float",
    ),
    "a kernel in a loop": (
        call("math.add", call("map_fn", "tf.nn.relu6", [np.nan]), 1.0), "xla", ("map_fn",), "XLA; Relu6 in xla, float",
    ),
    "what XLA makes of an order that data decide": (
        call("signal.fftshift", call("where", [0, 1], dtype="uint8")),
        "xla", ("where", "signal.fftshift"), "XLA; Roll in xla, int",
    ),
    "a maximum amid a chain": (
        call("math.multiply", call("math.reduce_max", call("math.add", [np.nan, 1], 1.0)), 2.0),
        "xla", ("math.reduce_max",), "XLA; Max in xla, float",
    ),
    "the greatest amid a chain": (
        call("math.negative", call("math.argmax", [-np.inf, np.finfo(np.float32).min])),
        "eager", ("math.argmax",), "all but XLA; ArgMax in eager, float",
    ),
}  # fmt: skip
"""Programs with a mode that shows a difference, the smallest program that does, and what it is attributed to."""


@pytest.mark.full
@pytest.mark.parametrize("name", CHAINS)
def test_the_program_is_reduced_and_the_op_the_node_and_the_pass_at_fault_are_named(ask, name):
    case, mode, smallest, attribution = CHAINS[name]
    (seen,) = ask("judge_case", (case.json(), (mode,)))
    (reduced,) = ask("reduce_difference", (seen[0], OF_OPS, False, 0))
    (found,) = ask("attribute_difference", (reduced[0], OF_OPS))
    assert [one.name for one in found.minimal.calls()] == [PREFIX + op for op in smallest]
    assert (found.name, found.attribution) == (PREFIX + smallest[-1], attribution)
    (script,) = ask("write_script", found)
    assert ask("run_script", script, fresh=True) == [1]


@pytest.mark.full
@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_the_script_of_a_slope_shows_it(ask, mode):
    slope = Case("tf.gradient", (call("math.cumprod", [2.0, 0.0, 3.0]),))
    if mode == "graph":
        powers = call("math.pow", call("math.multiply", [1.0], 3.4028234663852886e38), -2.0)
        slope = Case("tf.gradient", (call("math.abs", powers),))
    (seen,) = ask("judge_case", (slope.json(), (mode,)))
    (script,) = ask("write_script", seen[0])
    assert "tape.gradient(total, [a]" in script
    assert ask("run_script", script, fresh=True) == [1]


@pytest.mark.full
def test_the_script_of_a_difference_on_another_device_runs_there(ask):
    (seen,) = ask("judge_case", (call("nn.relu6", [np.nan]).json(), ("xla",)))
    (script,) = ask("write_script", replace(seen[0], modes=("xla@CPU:1",)))
    assert 'tf.device("CPU:1")' in script
    assert ask("run_script", script, fresh=True) == [1]


def test_a_script_exits_with_0_where_nothing_is_wrong(ask):
    (seen,) = ask("judge_case", (call("nn.relu6", [np.nan]).json(), ("xla",)))
    right = replace(seen[0], case=call("math.sqrt", [1.0, np.nan, -0.0]).json())
    (script,) = ask("write_script", right)
    assert ask("run_script", script, fresh=True) == [0]


def test_the_part_that_differs_is_what_is_told_of(ask):
    quotient = call("math.divide", [1e38], 2e38)
    (seen,) = ask("judge_case", (call("math.add", call("math.tanh", quotient), 1.0).json(), ("graph",)))
    assert [(one.name, one.case, one.symptom) for one in seen] == [("tf.math.divide", quotient.json(), "other value")]


@pytest.mark.full
def test_a_worker_that_ends_while_it_draws_has_ended_in_the_call_that_is_drawn(ask):
    """A transform of one column ends the process."""
    items = [Item(0, "tf.signal.irfft2d", seed, 1, (("eager", 1),)) for seed in range(40)]
    results = (ask("judge_item", item, fresh=True)[0] for item in items)
    item, death = next((one, result) for one, result in zip(items, results, strict=True) if isinstance(result, Death))
    mode, _, number = death.step.partition(" ")
    assert (death.kind, mode) == ("crash", "eager")
    (drawn,) = ask("draw_item", (item, int(number)), fresh=True)
    assert Case.from_json(drawn).name == "tf.signal.irfft2d"


def test_ops_are_selected_by_globs():
    bitwise = {PREFIX + op for op in OPS if op.startswith("bitwise.")}
    assert set(OPS_OF_TENSORFLOW.select(("tf.bitwise.*",))) == set(OPS_OF_TENSORFLOW.select(("bitwise.*",))) == bitwise
    with pytest.raises(Unusable):
        OPS_OF_TENSORFLOW.select(("tf.bitwize",))


@pytest.mark.parametrize(
    "mistake", [["math.no_such_op"], ["--modes", "vmap"], ["--values-only"], ["--setup", "json:dumps"], ["--programs"]]
)
def test_mistakes_on_the_command_line_exit_with_2(tmp_path, capsys, mistake):
    assert main(["run", *mistake, "--subject", "tensorflow", "--out", str(tmp_path / "run")]) == 2
    assert not (tmp_path / "run").exists()


def test_an_item_runs_a_program_on_several_values(ask):
    item = OPS_OF_TENSORFLOW.schedule(Options(), ("tf.math.exp",), OF_OPS, seed=1).item(0)
    (result,) = ask("judge_item", item)
    assert set(result.runs.values()) == {8}
    drawn = ask("draw_item", *((item, sibling) for sibling in range(8)))
    assert len(set(drawn)) == 8
