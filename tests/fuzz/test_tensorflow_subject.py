"""TensorFlow's own ops as a subject: what is drawn, what is found, what is blamed, and what the command line leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from fuzz.__main__ import main
from fuzz.differences import Difference
from fuzz.engine.campaign import Campaign
from fuzz.engine.domain import Unusable
from fuzz.engine.domains import find_domain
from fuzz.engine.run_options import Options
from fuzz.repro.program_script import write_program_script
from fuzz.schemas import SCHEMAS, read_schema
from fuzz.tensorflow_subject.program_kinds import PROGRAM_KINDS, find_program_kind
from fuzz.tensorflow_subject.schedule import EPOCH, MOST_CRASHES, SIBLINGS, CrashingOps, Rounds
from fuzz.tensorflow_subject.vocabulary import read_table
from oracle.harness import (
    OPS,
    WAYS,
    Constant,
    Death,
    Function,
    Input,
    Lease,
    Program,
    ProgramDType,
    Result,
    Sandbox,
    Step,
    Subscript,
)

TASKS = "fuzz.tensorflow_subject.tasks"
OPS_OF_TENSORFLOW = find_domain("tensorflow")


def program(inputs, *steps, gradient=False):
    return Program(tuple(np.array(array, dtype) for array, dtype in inputs), steps, gradient)


def of(number, dtype="float32"):
    return Constant(np.array(number, dtype))


@pytest.fixture(scope="module")
def ask():
    """A function that has a worker answer."""
    with Sandbox(1, f"{TASKS}:prepare", {"subject": "tensorflow", "devices": ("CPU:0",)}) as sandbox:

        def answer(function, *items, fresh=False):
            lease = Lease(0, f"{TASKS}:{function}", items, confirm=False, fresh=fresh, risky=fresh)
            (reply,) = sandbox.run([lease])
            return reply.results

        yield answer


def test_every_op_that_is_drawn_is_in_the_vocabulary_and_the_other_way_round():
    assert {row.op for row in read_table()} == OPS


def test_every_kind_of_program_has_its_turn():
    assert {find_program_kind(index)[0].name for index in range(len(PROGRAM_KINDS))} == {
        program_kind.name for program_kind in PROGRAM_KINDS
    }
    numbers = [find_program_kind(index)[1] for index in range(100) if find_program_kind(index)[0].name == "turn"]
    assert numbers == list(range(len(numbers)))


def make_round(seed=1, *numbers, ending=None):
    """A round of the programs of these numbers, in eager mode."""
    first = Rounds(sorted(OPS), ("eager",), seed).item(0)
    return replace(first, numbers=numbers or first.numbers, ending=ending)


def list_parts(item, kind, step):
    return OPS_OF_TENSORFLOW.split(item, Death(kind, item, "SIGSEGV", step))


@pytest.mark.full
def test_the_same_seed_draws_the_same_programs_and_another_others(ask):
    """A program is drawn again if its worker has ended, and judged no more."""
    items = [
        part for seed in (1, 1, 2) for n in range(12) for part in list_parts(make_round(seed, n), "crash", "xla 0")
    ]
    drawn = [one[0].differences for one in ask("judge_item", *items)]
    assert drawn[:12] == drawn[12:24]
    cases = [[one.case for one in seen] for seen in drawn]
    assert sum(one != other for one, other in zip(cases[:12], cases[24:], strict=True)) > 8
    assert sum(map(bool, drawn)) > 24


def test_a_program_can_be_drawn_as_far_as_a_step_that_is_not_run(ask):
    (whole,) = list_parts(make_round(1, 0), "crash", "eager 0")
    (halted,) = list_parts(make_round(1, 0), "crash", "draw 0 of 0")
    (complete,), (begun,) = [
        [Program.from_json(one.case) for one in tally.differences] for (tally,) in ask("judge_item", whole, halted)
    ]
    assert len(begun.steps) == 1
    assert begun.ops[0] == complete.ops[0]


def test_a_round_that_ends_its_worker_is_judged_in_parts():
    item = Rounds(sorted(OPS), ("eager", "xla", "eager@CPU:1", "xla@CPU:1"), 1).item(0)
    parts = list_parts(item, "crash", "xla 3")
    assert [(one.numbers, one.modes) for one in parts[:2]] == [
        ((0,), ("eager", "xla")),
        ((0,), ("eager@CPU:1", "xla@CPU:1")),
    ]
    assert len(parts) == 2 * len(PROGRAM_KINDS)
    (died,) = list_parts(parts[1], "crash", "xla 3")
    assert died.ending.step == "xla 3"
    assert not list_parts(died, "crash", "xla 3")
    assert not list_parts(parts[1], "crash", "reference")


def test_ops_that_end_their_process_are_left_out_an_epoch_later():
    posed = program(
        [([1, 2], "float32"), ([False, False], "bool")],
        Step("boolean_mask", (Input(0), Input(1))),
        Step("math.cumsum", (Result(0),)),
    )
    rounds = Rounds(sorted(OPS), WAYS, 1)
    for index in range(MOST_CRASHES):
        rounds.learn_fatal(
            Difference(index, 0, "math.cumsum", "crash", ("xla",), "float", "", posed.json(), fatal=True)
        )
    assert not rounds.item(2 * EPOCH - 1).crashing
    again = Rounds(sorted(OPS), WAYS, 1)
    again.restore(json.loads(json.dumps(rounds.data(2 * EPOCH))))
    (known,) = again.item(2 * EPOCH).crashing
    assert known == CrashingOps("xla", frozenset(posed.ops))
    assert known.is_in(("boolean_mask", "math.negative", "math.cumsum"), "xla")
    assert not known.is_in(posed.ops, "graph")
    assert not known.is_in(("math.cumsum",), "xla")


def test_a_round_has_no_more_programs_than_cases_are_left():
    rounds = Rounds(sorted(OPS), WAYS, 1)
    assert rounds.item(0).siblings == SIBLINGS
    assert rounds.item(3, 11).numbers == (30, 31)


KNOWN = {
    "x / 2e38 in a graph": (
        program([([1e38], "float32")], Step("math.divide", (Input(0), of(2e38)))),
        ("graph", "math.divide", "zero for a number"),
    ),
    "not (x < 0) in a graph": (
        program([([np.nan], "float32")], Step("math.less", (Input(0), of(0))), Step("math.logical_not", (Result(0),))),
        ("graph", "math.logical_not", "another bool"),
    ),
    "relu6 under XLA": (
        program([([np.nan], "float32")], Step("nn.relu6", (Input(0),))),
        ("xla", "nn.relu6", "a number for nan"),
    ),
    "argmax behind -inf": (
        program([([-np.inf, np.finfo(np.float32).min], "float32")], Step("math.argmax", (Input(0),))),
        ("eager", "math.argmax", "another integer"),
    ),
    "the last of what a mask left": (
        program(
            [([1, 2, 3, 4], "int32"), ([True, False, True, False], "bool")],
            Step("boolean_mask", (Input(0), Input(1))),
            Step("getitem", (Result(0), Subscript((-1,)))),
        ),
        ("xla", "getitem", "another integer"),
    ),
    "the slope of cumprod": (
        program([([2, 0, 3], "float32")], Step("math.cumprod", (Input(0),)), gradient=True),
        ("eager", "math.cumprod", "another slope"),
    ),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", KNOWN)
def test_known_bugs_are_seen(ask, name):
    posed, (way, op, symptom) = KNOWN[name]
    (seen,) = ask("judge_case", (posed.json(), tuple(dict.fromkeys(("eager", way)))))
    assert ((way,), op, symptom) in [(one.modes, one.name, one.symptom) for one in seen]


@pytest.mark.parametrize(
    "posed",
    [
        program([([1.0, 4.0], "float32")], Step("math.sqrt", (Input(0),)), Step("math.add", (Result(0), of(1)))),
        program([([3, 1, 2], "int32")], Step("sort", (Input(0),)), Step("math.reduce_sum", (Result(0),))),
        program([([0.5, -0.25], "float64")], Step("math.tanh", (Input(0),)), Step("math.exp", (Result(0),))),
        program([([1.5, 2.5], "float64")], Step("math.square", (Input(0),)), gradient=True),
    ],
)
def test_what_is_right_is_not_reported(ask, posed):
    assert ask("judge_case", (posed.json(), WAYS)) == [[]]


CHAINS = {
    "a quotient amid a chain": (
        program(
            [([1e38], "float32")],
            Step("math.divide", (Input(0), of(2e38))),
            Step("math.tanh", (Result(0),)),
            Step("math.add", (Result(1), of(1))),
        ),
        "graph",
        ("math.divide",),
        ("constant_folding",),
        "RealDiv",
    ),
    "a negated comparison amid a chain": (
        program(
            [([np.nan, 1], "float32")],
            Step("math.less", (Input(0), of(0))),
            Step("math.logical_not", (Result(0),)),
            Step("cast", (Result(1), ProgramDType("float32"))),
        ),
        "graph",
        ("math.less", "math.logical_not"),
        ("arithmetic_optimization",),
        "LogicalNot",
    ),
    "a shape that XLA does not know amid a chain": (
        program(
            [([1, 2], "float32"), ([False, False], "bool")],
            Step("boolean_mask", (Input(0), Input(1))),
            Step("linalg.diag", (Result(0),)),
            Step("math.negative", (Result(1),)),
        ),
        "xla",
        ("boolean_mask", "linalg.diag"),
        (),
        "MatrixDiagV3",
    ),
    "a kernel in a loop": (
        program(
            [([np.nan], "float32")],
            Step("map_fn", (Function("nn.relu6"), Input(0))),
            Step("math.add", (Result(0), of(1))),
        ),
        "xla",
        ("map_fn",),
        (),
        "Relu6",
    ),
    "what XLA makes of an order that data decide": (
        program([([0, 1], "uint8")], Step("where", (Input(0),)), Step("signal.fftshift", (Result(0),))),
        "xla",
        ("where", "signal.fftshift"),
        (),
        "Roll",
    ),
    "a maximum amid a chain": (
        program(
            [([np.nan, 1], "float32")],
            Step("math.add", (Input(0), of(1))),
            Step("math.reduce_max", (Result(0),)),
            Step("math.multiply", (Result(1), of(2))),
        ),
        "xla",
        ("math.reduce_max",),
        (),
        "Max",
    ),
}


SLOPES = {
    "of a product amid a chain": (
        program(
            [([1.0], "float32")],
            Step("math.multiply", (Input(0), of(3.4028234663852886e38))),
            Step("math.pow", (Result(0), -2.0)),
            Step("math.abs", (Result(1),)),
            gradient=True,
        ),
        ("math.multiply", "Mul"),
    ),
}


def reduce(ask, posed, way):
    """The difference of the smallest program that shows the same, and its ops."""
    (seen,) = ask("judge_case", (posed.json(), (way,)))
    (reduced,) = ask("reduce_difference", (seen[0], WAYS, False, 0))
    return reduced[0], Program.from_json(reduced[0].case).ops


@pytest.mark.full
@pytest.mark.parametrize("name", SLOPES)
def test_a_slope_is_attributed_to_the_op_whose_node_departs(ask, name):
    posed, (op, node) = SLOPES[name]
    found, ops = reduce(ask, posed, "graph")
    assert (found.name, found.modes[0]) == (op, "graph")
    assert found.attribution.endswith(f"node {node}")
    assert len(ops) < len(posed.ops)


@pytest.mark.full
@pytest.mark.parametrize("name", CHAINS)
def test_the_op_the_node_and_the_pass_at_fault_are_named(ask, name):
    posed, way, smallest, passes, node = CHAINS[name]
    found, ops = reduce(ask, posed, way)
    by = f", by {' or '.join(passes)}" if passes else ""
    assert (ops, found.attribution) == (smallest, f"tf.{smallest[-1]} in {way}{by}, node {node}")
    (script,) = ask("write_script", found)
    assert ask("run_script", script, fresh=True) == [1]


@pytest.mark.full
def test_the_script_of_a_difference_on_another_device_runs_there(ask):
    posed, (way, *_) = KNOWN["relu6 under XLA"]
    (seen,) = ask("judge_case", (posed.json(), (way,)))
    (script,) = ask("write_script", replace(seen[0], modes=("xla@CPU:1",)))
    assert 'tf.device("CPU:1")' in script
    assert ask("run_script", script, fresh=True) == [1]


def test_a_script_exits_with_0_where_nothing_is_wrong(ask):
    posed = program([([1.0, np.nan, -0.0], "float32")], Step("math.sqrt", (Input(0),)))
    script = write_program_script(posed, "graph", "value", "Nothing")
    assert ask("run_script", script, fresh=True) == [0]


def test_a_tolerance_that_overflows_is_written_in_python():
    """That of a sum of squares near the end of the range, which a script has to compare with all the same."""
    posed = program([([-1.01e254, 0.0], "float64")], Step("math.reduce_std", (Input(0),)))
    script = write_program_script(posed, "eager", "value", "", tolerance=(128.0, np.inf), expected=np.array(5.07e253))
    assert "def same(expected, actual, ulps=128.0, slack=float('inf')):" in script


@pytest.mark.full
def test_what_never_ends_is_a_death(ask):
    step = Step("random.stateless_poisson", ([1], [1, 2], Input(0)))
    (death,) = ask("judge_case", (program([([np.nan], "float64")], step).json(), ("eager",)), fresh=True)
    assert isinstance(death, Death)
    assert (death.kind, death.step) == ("hang", "eager 0")


@pytest.mark.full
def test_a_planted_fault_is_found(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)
    sandbox = Sandbox(1, "planted_ops:prepare", {"subject": "tensorflow"}, start=f"{TASKS}:start")
    options = Options(names=("tf.math.tanh",), cases=120, seed=1, modes=("eager",), subject="tensorflow")
    summary = Campaign(options, executor=sandbox).run()
    assert {(one.modes, one.name, one.structure) for one in summary.findings} == {
        (("eager",), "math.tanh", "math.tanh")
    }
    assert not summary.counts.failures


def test_ops_are_selected_by_globs():
    assert set(OPS_OF_TENSORFLOW.select(("tf.bitwise.*",))) == {op for op in OPS if op.startswith("bitwise.")}
    with pytest.raises(Unusable):
        OPS_OF_TENSORFLOW.select(("tf.bitwize",))


def validator(name):
    schemas = [read_schema(one) for one in SCHEMAS]
    registry = Registry().with_resources([(one["$id"], Resource.from_contents(one)) for one in schemas])
    return Draft202012Validator(read_schema(name), registry=registry)


@pytest.mark.full
def test_a_run_leaves_what_other_runs_leave(tmp_path, capsys):
    arguments = [
        "run",
        "math.argmax",
        "sort",
        "--subject",
        "tensorflow",
        "--cases",
        "400",
        "--seed",
        "5",
        "--jobs",
        "1",
    ]
    assert main([*arguments, "--jobs", "1", "--modes", "eager,graph", "--out", str(tmp_path / "run")]) == 1
    rows = [json.loads(line) for line in (tmp_path / "run" / "findings.jsonl").read_text().splitlines()]
    assert {"math.argmax", "sort"} <= {row["name"] for row in rows}
    for row in rows:
        validator("finding").validate(row)
        assert row["reproduced"]
        assert "sys.exit" in (tmp_path / "run" / row["repro"]).read_text()
        issue = (tmp_path / "run" / "issues" / f"{row['id']}.md").read_text()
        assert all(part in issue for part in (row["minimal"], row["symptom"], row["structure"], row["id"]))
    validator("summary").validate(json.loads((tmp_path / "run" / "summary.json").read_text()))
    validator("run").validate(json.loads((tmp_path / "run" / "run.json").read_text()))
    assert "tf.sort" in (tmp_path / "run" / "report.md").read_text()
    assert (tmp_path / "run" / "report.html").exists()


@pytest.mark.full
def test_a_run_without_findings_exits_with_0(tmp_path, capsys):
    out = str(tmp_path / "clean")
    ways = ["--modes", "eager", "--cases", "60", "--jobs", "1", "--seed", "1"]
    assert main(["run", "math.is_nan", "--subject", "tensorflow", *ways, "--out", out]) == 0


@pytest.mark.parametrize(
    "mistake", [["math.no_such_op"], ["--modes", "vmap"], ["--values-only"], ["--setup", "json:dumps"], ["--programs"]]
)
def test_mistakes_on_the_command_line_exit_with_2(tmp_path, capsys, mistake):
    assert main(["run", *mistake, "--subject", "tensorflow", "--out", str(tmp_path / "run")]) == 2
    assert not (tmp_path / "run").exists()
