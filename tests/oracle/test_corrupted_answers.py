"""Whatever a subject answers, the judge gives a verdict, without a fault of its own."""

from __future__ import annotations

import json
import random
import resource
import zlib
from pathlib import Path

import numpy as np
import pytest

from fuzz.engine.feedback import hash_answers
from fuzz.engine.tasks import make_differences
from fuzz.generate.calls import draw_case, generated_names
from fuzz.generate.choices import SeedChoices
from fuzz.generate.programs import draw_program
from oracle import Case, Mode, Outcome, Subject, Verdict, run_numpy
from oracle.equality.finite_differences import Slopes
from oracle.harness import Limits
from oracle.invariants import check_repetition
from oracle.verdict import LARGEST_ANSWER, count_bytes, judge_outcome
from tests.oracle.corrupted import corrupt

pytestmark = pytest.mark.filterwarnings("ignore")

PROGRAMS = 0.1  # the share of programs among the cases
MODES = ("eager", "eager", "graph", "xla", "graph_dims", "graph_rank", "while", "keras", "gradient", "repeated")
ON_TENSORS, ON_ARRAYS = Subject("tensors", np), Subject("numpy", np)
ON_TENSORS.takes_tensors, ON_ARRAYS.takes_tensors = True, False


@pytest.fixture(autouse=True, scope="module")
def limited_memory():
    """A limit as workers have it: repeated elements may be more than memory holds."""
    limit, most = resource.getrlimit(resource.RLIMIT_AS)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + Limits().memory_bytes, most))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def judge_corrupted(name: str, number: int) -> Verdict:
    """Return the verdict on a corrupted answer to a call that is drawn for the name, or to a program."""
    seed = zlib.crc32(f"{name} {number}".encode())
    rng, choices = random.Random(seed), SeedChoices(seed)
    case = draw_program(choices, generated_names()) if rng.random() < PROGRAMS else draw_case(choices, name)
    verdict = Verdict(case, run_numpy(case))
    if count_bytes(verdict.expected) > LARGEST_ANSWER:
        return verdict  # as `judge_siblings` does
    mode, subject = Mode(rng.choice(MODES)), rng.choice([ON_TENSORS, ON_ARRAYS])
    outcome = corrupt(rng, verdict.expected, case)
    if mode.name == "gradient" and rng.random() < 0.5:
        outcome.value = Slopes((rng.choice([0.0, np.nan, 1e300]),), (1.0,))
    judge_outcome(verdict, outcome, mode, subject)
    difference = check_repetition(outcome, corrupt(rng, verdict.expected, case), mode)
    verdict.deviations += [difference] if difference is not None else []
    for difference in make_differences(verdict):
        json.dumps(difference.data())
        difference.detail.encode()
    hash_answers([verdict], str(mode))
    return verdict


PART = -(-len(generated_names()) // 3)


def judge_many(first: int, count: int) -> None:
    """Judge so many corrupted answers, of every name in turn."""
    names = generated_names()
    for number in range(first, first + count):
        verdict = judge_corrupted(names[number % len(names)], number // len(names))
        assert not verdict.harness_faults, "\n".join(map(str, verdict.harness_faults))


@pytest.mark.parametrize("part", range(3))
def test_the_judge_has_no_faults_of_its_own(part):
    """Each name has an answer here, and more in the full tier."""
    judge_many(part * PART, PART)


def test_text_that_is_no_utf_8_is_judged():
    case = Case("strings.encode", (np.array(["x\xa0", "y"]),), {"encoding": "latin-1"})
    verdict = Verdict(case, run_numpy(case))
    judge_outcome(verdict, Outcome(verdict.expected.value.astype("T")), Mode("eager"), ON_ARRAYS)
    assert not verdict.harness_faults
    assert len(verdict.deviations) == 1
    assert [json.dumps(difference.data()) for difference in make_differences(verdict)]


@pytest.mark.full
@pytest.mark.parametrize("part", range(50))
def test_the_judge_has_none_for_many_answers(part):
    judge_many(3 * PART + part * 1000, 1000)
