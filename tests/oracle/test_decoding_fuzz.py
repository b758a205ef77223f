"""A fuzzer against the decoder: whatever the text, it is a case that comes back as it was, or one line of refusal."""

from __future__ import annotations

import ast
import json
import re
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracle import Case
from oracle.case.decoding import READERS
from oracle.case.vocabulary import PYTHON_TYPES, TYPES, functions
from oracle.harness import NAMES
from tests.oracle import malicious
from tests.oracle.arguments import cases

SETTINGS = settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
RECORDED = [
    json.dumps(json.loads(line)["case"])
    for path in sorted((Path(__file__).parent.parent / "repros").glob("*.jsonl"))
    for line in path.read_text().splitlines()
]
SPOKEN = {"np", "ml_dtypes", "slice", *(kind.__name__ for kind in PYTHON_TYPES)}  # of what the source of a case is made
VARIABLE = re.compile(r"[a-z]+\d+")
SECONDS, BYTES = 1.0, 300 << 20


def _among(values):
    """One of many: `sampled_from` would show them all."""
    values = list(values)
    return st.integers(0, len(values) - 1).map(lambda index: values[index])


WORDS = st.sampled_from(
    [*READERS, "case", "args", "kwargs", "shape", "values", "layout", "strides", "shift", "readonly", "axis", "", "a b"]
)
DTYPES = st.sampled_from(
    ["<f8", "<f4", "<f2", "<c8", "<c16", "|b1", "|i1", ">i4", "<u8", "<U2", "|S3", "<M8[D]", "|V2"]
)
ODD_DTYPES = _among([*malicious.DTYPES, "|V0", "<U0", "|S0", "|O", "bfloat16", "float8_e5m2", "<f16", "<m8"])
NUMBERS = st.sampled_from([0, 1, -1, 2, 3, 8, 63, 64, 2**31, 2**53, -(2**53), 2**53 + 1, 2**64, 10**18])
HEXES = st.sampled_from(
    ["0x0.0p+0", "-0x0.0p+0", "0x1.8p+1", "nan", "-nan", "inf", "-inf", "0x1p-1074", "0x1p1024", "1", "x"]
)
DIGITS = st.text("0123456789abcdef", max_size=12)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    NUMBERS,
    st.integers(-4, 4),
    st.floats(),
    HEXES,
    DIGITS,
    WORDS,
    st.text(max_size=4),
    ODD_DTYPES,
)
SMALL = st.integers(-1, 3)


def _arrays(leaves):
    layouts = st.fixed_dictionaries({"strides": st.lists(st.integers(-32, 32) | NUMBERS, max_size=3), "shift": SMALL})
    return st.fixed_dictionaries(
        {"array": DTYPES | ODD_DTYPES, "shape": st.lists(SMALL | NUMBERS, max_size=3)},
        optional={
            "values": st.lists(HEXES | SMALL | leaves, max_size=6) | DIGITS,
            "layout": layouts | leaves,
            "readonly": st.booleans() | leaves,
        },
    )


def _calls(values):
    names = _among([*NAMES, *malicious.RUNNING[:4]])
    keywords = st.dictionaries(
        st.sampled_from(["out", "axis", "dtype", "where", "_x", "lambda", "a b"]), values, max_size=3
    )
    return st.fixed_dictionaries({"case": names, "args": st.lists(values, max_size=4)}, optional={"kwargs": keywords})


def _objects(values):
    """What has one telling key, as the writer would have it, or nearly."""
    named = {
        "function": _among([*functions(), *malicious.FUNCTIONS]),
        "type": _among([*TYPES, *malicious.TYPES]),
        "dtype": DTYPES | ODD_DTYPES,
        "int": st.sampled_from(["0x", "0x" + "f" * 3570, "0x" + "f" * 3571, "0x" + "f" * 3572, "0b1"])
        | DIGITS.map("0x".__add__)
        | NUMBERS.map(hex)
        | values,
        "float": HEXES | values,
        "complex": st.lists(HEXES, min_size=1, max_size=3),
        "bytes": DIGITS,
        "same": SMALL | values,
        "dict": st.lists(st.lists(values, min_size=1, max_size=3), max_size=3),
        "slice": st.lists(values, min_size=2, max_size=4),
        "tuple": st.lists(values, max_size=4),
    }
    scalars = st.fixed_dictionaries(
        {"scalar": DTYPES | ODD_DTYPES, "values": st.lists(HEXES | SMALL, max_size=2) | DIGITS}
    )
    return st.one_of(*[value.map(lambda one, key=key: {key: one}) for key, value in named.items()], scalars)


VALUES = st.recursive(
    LEAVES | _arrays(LEAVES),
    lambda inner: st.one_of(st.lists(inner, max_size=4), _objects(inner), _calls(inner), st.dictionaries(WORDS, inner)),
    max_leaves=12,
)


@st.composite
def mutants(draw):
    """A case file, of the regressions or of a drawn case, in which a few parts are something else."""
    text = draw(_among(RECORDED) | cases().map(Case.json))
    data = json.loads(text)
    for _ in range(draw(st.integers(1, 4))):
        places = list(_places(data))
        if not places:
            break
        home, key = draw(st.sampled_from(places[:400]))
        way = draw(st.sampled_from(["value", "value", "leaf", "other", "twice", "gone", "renamed"]))
        if way == "gone":
            del home[key]
        elif way == "renamed" and isinstance(home, dict):
            home[draw(WORDS)] = home.pop(key)
        elif way == "twice" and isinstance(home, list):
            home.insert(key, home[key])
        elif way == "other":
            other, at = draw(st.sampled_from(places[:400]))
            home[key] = (
                json.loads(json.dumps(other[at])) if at in other or (isinstance(at, int) and at < len(other)) else 0
            )
        else:
            home[key] = draw(LEAVES if way == "leaf" else VALUES)
    return json.dumps(data)


def _places(data):
    """Every part of plain data, as the container it is in and its key there."""
    pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(pairs):
        yield data, key
        yield from _places(value)


@st.composite
def spliced(draw):
    """A case file with a piece of it gone, doubled, or something else."""
    text = draw(_among(RECORDED) | st.sampled_from([one for one in malicious.TEXTS.values() if len(one) < 2000]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 40)))
    piece = draw(
        st.sampled_from(["", text[start:end] * 2, "{", "}", "[", "]", ",", '"', "\\u0000", "e9", "-", "0", "NaN"])
        | st.text(max_size=3)
    )
    return text[:start] + piece + text[end:]


def holds(text):
    """Check the one promise of the decoder. Returns the case, if it is one."""
    tracemalloc.start()
    begun = time.process_time()
    try:
        case = Case.from_json(text)
    except ValueError as error:
        case, message = None, str(error)
    spent, (_, peak) = time.process_time() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert spent < SECONDS
    assert peak < BYTES
    if case is None:
        assert message
        assert message.isprintable(), message
        assert len(message) < 400
        return None
    begun = time.process_time()
    source, written = str(case), case.json()
    assert time.process_time() - begun < SECONDS
    assert source.isprintable()
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    assigned = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}  # by the statements of a program
    assert {node.id for node in nodes} <= SPOKEN | {name for name in assigned if VARIABLE.fullmatch(name)}
    back = Case.from_json(written)
    assert back.json() == written
    assert back.id == case.id
    assert case.fresh().json() == written
    assert len(case.arrays()) <= len(list(case.leaves()))
    return case


@pytest.mark.full
@SETTINGS
@given(mutants())
def test_mutated_files(text):
    holds(text)


@pytest.mark.full
@SETTINGS
@given(spliced())
def test_spliced_files(text):
    holds(text)


@pytest.mark.full
def test_every_regression_is_a_case():
    """And is the same when it is written again, but for spaces."""
    for text in RECORDED:
        assert json.loads(holds(text).json()) == json.loads(text)
