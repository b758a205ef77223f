"""What must hold whatever NumPy says: the same again, and the same whatever kind of array is passed."""

from __future__ import annotations

import itertools
import subprocess
import sys
from types import MappingProxyType

import numpy as np
import pytest

from oracle import Case, Mode, judge
from oracle.execution.executors import have_same_bits
from oracle.harness import attribute_modes, find_excessive, list_allowances
from oracle.invariants import is_chosen, promises_values
from tests.oracle.made import kinds, made, status

tf = pytest.importorskip("tensorflow")
X = np.array([0.5, -1.0, 2.0])
SUBSTITUTES = pytest.mark.parametrize("mode", ["arrays", "lists", "variables"])


class TestRepetition:
    def test_nothing_is_promised_of_what_numpy_makes_of_no_coefficients(self):
        assert not promises_values(Case("fft.irfft", (np.zeros(0), 1)))
        assert not promises_values(Case("fft.irfft", (Case("squeeze", (np.zeros(0),)), 1)))
        assert promises_values(Case("fft.irfft", (np.zeros(1), 1)))

    def test_nothing_is_promised_of_bits_of_no_bytes(self):
        none = np.zeros((2, 0), np.uint8)
        assert not promises_values(Case("unpackbits", (none, 1, 3)))
        assert not promises_values(Case("unpackbits", (none,), {"count": 3}))
        assert promises_values(Case("unpackbits", (np.zeros((2, 1), np.uint8), 1, 30)))

    def test_random_generators_are_compared_by_their_states(self):
        first, same, other = map(np.random.default_rng, (0, 0, 1))
        assert have_same_bits(first, same)
        assert have_same_bits(np.array([first]), np.array([same]))
        assert not have_same_bits(first, other)
        assert not have_same_bits(np.array([first]), np.array([other]))
        assert not have_same_bits(first, np.random.Generator(np.random.Philox(0)))

    @pytest.mark.parametrize("mode", ["eager", "graph", "xla"])
    def test_what_changes_from_call_to_call_is_found(self, mode):
        count = tf.Variable(0.0, dtype=tf.float64)

        def exp(x):
            return tf.exp(x) * count.assign_add(1.0)

        found = kinds(mode, Case("exp", (X,)), exp=exp)
        assert "nondeterminism" in found
        assert kinds(mode, Case("exp", (X,)), exp=tf.exp) == []

    def test_an_error_the_second_time_is_found(self):
        calls = itertools.count()

        def exp(x):
            if next(calls):
                raise ValueError("once is enough")
            return tf.exp(x)

        assert kinds("eager", Case("exp", (X,)), exp=exp) == ["nondeterminism"]

    @pytest.mark.parametrize("count", [1, 2, 3, 4, 8])
    def test_what_takes_turns_is_found_among_any_number_of_siblings(self, count):
        def siblings(start):
            return [Case("sum", (np.array([1.0, start + place]),)) for place in range(count)]

        turns = itertools.count()
        chosen = next(start for start in itertools.count() if is_chosen(siblings(start), Mode("eager")))
        found = kinds("eager", *siblings(chosen), sum=lambda x: tf.reduce_sum(x) * (1.0 + 2**-52 * (next(turns) % 2)))
        assert found == ["nondeterminism"]


@SUBSTITUTES
class TestSubstitutes:
    def test_what_takes_them_alike_is_silent(self, mode):
        case = Case("add", (X, X[:1]))
        assert kinds(mode, case, add=lambda x, y: tf.add(tf.convert_to_tensor(x, tf.float64), y)) == []

    def test_what_does_not_is_found(self, mode):
        def add(x, y):
            return tf.add(x, y) if isinstance(x, tf.Tensor) else tf.add(tf.cast(x, tf.float32), tf.cast(y, tf.float32))

        assert kinds("eager", Case("add", (X, X)), add=add) == []
        assert kinds(mode, Case("add", (X, X)), add=add) == ["dtype"]

    def test_without_arrays_there_is_no_question(self, mode):
        assert status(mode, Case("add", (1, 2)), add=tf.add) == "unsupported"


def test_lists_only_where_numpy_says_the_same_of_them():
    assert status("lists", Case("sin", (X.astype(np.float32),)), sin=tf.sin) == "unsupported"
    assert status("lists", Case("sin", (X,)), sin=lambda x: tf.sin(tf.constant(x, tf.float64))) == "ok"


def test_an_array_that_was_passed_and_changed_is_found():
    def sort(x):
        x.sort()
        return tf.constant(x)

    assert kinds("arrays", Case("sort", (X[::-1],)), sort=sort) == ["inputs changed"]


@pytest.mark.parametrize(
    ("differing", "asked", "alone"),
    [
        ("eager graph xla", "eager graph xla", "every mode asked"),
        ("xla", "eager graph xla", "XLA"),
        ("graph", "eager graph xla", "graph"),
        ("graph xla", "eager graph xla", "tracing"),
        ("eager graph", "eager graph xla", "all but XLA"),
        ("graph_rank", "eager graph_dims graph_rank", "unknown rank"),
        ("xla_dims", "eager graph xla graph_dims xla_dims", "unknown dimensions under XLA"),
        ("graph_dims xla_dims", "eager graph xla graph_dims xla_dims", "unknown dimensions"),
        ("xla xla_dims", "eager graph xla graph_dims xla_dims", "XLA"),
        ("graph_dims graph_rank", "eager graph graph_dims graph_rank", "unknown shapes"),
        ("lists", "eager lists arrays", "lists as inputs"),
        ("while", "eager graph keras while", "loops"),
        ("keras strategy while", "eager graph keras strategy while", "layers, replicas and loops"),
        ("eager@CPU:1 graph@CPU:1", "eager graph eager@CPU:1 graph@CPU:1", "CPU:1"),
        ("eager eager@CPU:1", "eager graph eager@CPU:1 graph@CPU:1", "eager"),
        ("eager graph@CPU:1", "eager graph eager@CPU:1 graph@CPU:1", "eager, graph@CPU:1"),
        ("xla", "xla", "xla"),
        ("eager graph_dims xla", "eager graph graph_dims graph_rank xla", "eager, graph_dims, xla"),
    ],
)
def test_who_is_alone(differing, asked, alone):
    assert attribute_modes(differing.split(), asked.split()) == alone


def test_a_verdict_says_who_is_alone():
    def sin(x):
        return tf.sin(x) if tf.executing_eagerly() else tf.cos(x)

    verdict = judge(Case("sin", (X,)), ["eager", "graph", "xla", "vmap"], made(sin=sin))
    assert verdict.attribution() == "tracing"
    assert [found.attribution for found in verdict.list_errors()] == ["tracing"]
    assert judge(Case("sin", (X,)), ["eager"], made(sin=tf.sin)).attribution() == ""


class TestShares:
    entry = next(entry for entry in list_allowances() if entry.id == "set.which-nan")
    asked = MappingProxyType({"sin": {"eager": 50}, "cos": {"eager": 1000}})

    def excessive(self, count):
        return find_excessive([self.entry], {self.entry.id: {"sin": {"eager": count}}}, self.asked)

    def test_a_share_that_was_promised(self):
        assert self.entry.most == 0.1
        assert self.excessive(10) == []
        assert find_excessive([self.entry], {}, self.asked) == []

    def test_more_than_that(self):
        (complaint,) = self.excessive(40)
        assert complaint.startswith(f"{self.entry.id} took 40 of 50 answers of sin in eager, where 10.0% are its limit")


@pytest.mark.full
def test_a_device_over_loopback_runs_every_mode():
    program = """
import numpy as np
from oracle import Case, Mode, judge
from oracle.harness import MODES, OF_ADAPTERS, configure_devices, list_devices
configure_devices(["CPU:0", "job:worker/replica:0/task:0/device:CPU:0"])
remote = list_devices()[1]
assert remote == "job:worker/replica:0/task:0/device:CPU:0", list_devices()
from tests.oracle.made import made
import tensorflow as tf
where = []
def exp(x):
    result = tf.exp(tf.cast(x, tf.float64))
    where.append(result.device)
    return result
modes = [f"{mode}@{remote}" for mode in MODES if mode not in (*OF_ADAPTERS, "strategy", "saved")]
case = Case("exp", (np.array([0.5, 1.0]),))
verdict = judge(case, modes, made(exp=exp))
kinds = {str(mode): outcome.kind for mode, outcome in verdict.outcomes.items()}
assert kinds == dict.fromkeys(modes, "ok"), kinds
assert verdict.agrees, verdict
assert where[0] == f"/{remote}" and set(where) <= {where[0], ""}, where  # or where it is called
written = Case("add", (np.array([0.5, 1.0]), np.array([1.0, 2.0])), {"out": np.zeros(2)})
adding = made(add=lambda x, y, out: out.assign(x + y))
assert judge(written, [f"{mode}@{remote}" for mode in ("eager", "graph", "xla")], adding).agrees
wrong = judge(case, ["eager", f"eager@{remote}"], made(exp=lambda x: x if "worker" in tf.exp(x).device else tf.exp(x)))
assert wrong.attribution() == remote, wrong.attribution()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_modes_are_named_where_there_can_be_none_of_a_name():
    with pytest.raises(ValueError, match="there are eager, graph, xla, graph_dims"):
        Mode("graph()")
