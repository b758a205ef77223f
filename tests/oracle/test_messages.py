from __future__ import annotations

import copyreg
import json
import os
import pickle
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from oracle.harness import Death, Failure, Lease, Limits, Sandbox
from oracle.sandbox import client, messages
from oracle.sandbox.confinement import WRITABLE
from oracle.sandbox.messages import Foreign, Inbox, decode, encode, send
from oracle.sandbox.progress import ProgressMarker, make_memory
from tests.oracle.hostile import WRITTEN, Code

QUICK = Limits(seconds=3.0, patience=2.0, memory_bytes=2 << 30)


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        patch.setenv(WRITABLE, str(tmp_path_factory.mktemp("marks")))
        with Sandbox(1, "hostile:prepare", modules=["numpy"], limits=QUICK) as opened:
            yield opened


@pytest.fixture
def ends():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    yield reading, writing
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("kind", WRITTEN)
def test_what_a_call_writes_into_its_connection_is_its_crash(kind, box, tmp_path):
    """It is not read as a result, runs nothing, and keeps nobody waiting: the next item is answered."""
    mark = tmp_path / "made"
    lease = Lease(0, "hostile:write_over", [(kind, str(mark))])
    (reply,) = box.run([lease])
    assert isinstance(reply.results[0], Death)
    assert reply.results[0].kind in ("crash", "hang")
    assert "connection" in reply.results[0].detail or reply.results[0].kind == "hang"
    assert not mark.exists()
    (reply,) = box.run([Lease(1, "hostile:obey", [7])])
    assert reply.results == [("ready", 7)]


def test_a_process_that_a_call_makes_answers_nothing(box):
    (reply,) = box.run([Lease(0, "hostile:obey", ["return_twice", "return_twice", 7])])
    assert reply.results == [True, True, ("ready", 7)]


def test_a_result_that_is_no_data_is_not_read(box):
    (reply,) = box.run([Lease(0, "hostile:obey", ["return_code", 7])])
    assert isinstance(reply.results[0], Failure)
    assert "hostile.Code is no data" in reply.results[0].trace
    assert reply.results[1] == ("ready", 7)


DATA = [
    None,
    (1, -1.5, 2j, "text", b"bytes", True, ...),
    {"a": [1], "b": {2, 3}, "c": frozenset({4}), "d": Counter("aab")},
    Limits(seconds=2.0),
    Failure(1, "trace"),
    slice(1, 2),
    np.dtype([("a", "<f4"), ("b", ml_dtypes.bfloat16)]),
    np.float32(1.5),
    np.datetime64("2020-01-01"),
    ml_dtypes.bfloat16(2),
    np.arange(6.0).reshape(2, 3)[:, ::-1],
    np.asfortranarray(np.ones((2, 2), np.int32)),
    np.array([None, "a"], object),
    np.array([], ml_dtypes.bfloat16),
]


@pytest.mark.parametrize("value", DATA, ids=str)
def test_data_are_read_as_they_were(value):
    found = decode(encode(value))
    assert type(found) is type(value)
    assert repr(found) == repr(value)
    assert getattr(found, "dtype", None) == getattr(value, "dtype", None)


@pytest.mark.parametrize(
    "error",
    [ValueError("a", 1), KeyboardInterrupt(), np.exceptions.AxisError(3, 1), np.linalg.LinAlgError("b")],
    ids=str,
)
def test_an_exception_is_data(error):
    assert repr(decode(encode(error))) == repr(error)


def test_how_a_library_pickles_exceptions_does_not_matter(monkeypatch):
    monkeypatch.setitem(copyreg.dispatch_table, KeyError, lambda error: (print, ("forged",)))
    assert repr(decode(encode(KeyError("a")))) == "KeyError('a')"


@pytest.mark.parametrize(
    "value",
    [Code("made"), print, os.system, Path("x"), Path, Sandbox, np.load, eval, Inbox, replace],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),  # the text of some has their address
)
def test_code_is_not_read(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Foreign):
        decode(pickle.dumps((value, 0)))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"no message", pickle.dumps([1] * 100)[:-5], b"(" * 1000, b"cos\nsystem\n."]
)
def test_what_is_no_message_is_foreign(data):
    with pytest.raises(Foreign):
        decode(data)


FORGED = [
    {"record": ["oracle.sandbox.pool:Limits", {"seconds": 1.0}]},  # lacks fields
    {"record": ["oracle.sandbox.pool:Lease", {"index": 0, "__class__": 1}]},
    {"record": ["oracle.sandbox.pool:Sandbox", {}]},
    {"record": ["numpy.f2py.__main__:main", {}]},
    {"record": ["fuzz.__main__:main", {}]},
    {"record": ["oracle.sandbox.pool:Sandbox.__init__", {}]},
    {"exception": ["os:system", ["true"], {}]},
    {"exception": ["builtins:print", ["true"], {}]},
    {"enumeration": ["builtins:int", "real"]},
    {"row": ["builtins:tuple", [1]]},
    {"class": "numpy.load"},
    {"class": "eval"},
    {"array": [{"members": [["a", "|O", 0]], "itemsize": 8}, [1], "AAAAAAAAAAA=", False]},
    {"array": ["|O", [1], "AAAAAAAAAAA=", True]},
    {"array": ["<f8", [2**40], "AAAAAAAAAAA=", False]},
    {"array": ["O", [10**18], [], False]},
    {"range": [0, 10**18]},
    {"int": "0x1", "dict": []},
    {},
]


@pytest.mark.parametrize("forged", FORGED, ids=str)
def test_what_names_code_or_is_larger_than_the_message_is_foreign(forged):
    with pytest.raises(Foreign):
        decode(json.dumps(forged).encode())
    assert "numpy.f2py.__main__" not in sys.modules


def test_a_message_is_returned_when_all_of_it_has_come(ends):
    reading, writing = ends
    inbox = Inbox(reading)
    whole = memoryview(len(b"first").to_bytes(8, "big") + b"first" + len(b"second").to_bytes(8, "big") + b"second")
    received = []
    for byte in whole:
        os.write(writing, bytes([byte]))
        received.append(inbox.receive())
    assert [message for message in received if message is not None] == [b"first", b"second"]
    assert received[12] == b"first"


def test_a_message_that_is_too_long_is_neither_sent_nor_read(ends, monkeypatch):
    monkeypatch.setattr(messages, "MOST", 100)
    with pytest.raises(ValueError, match="an answer of"):
        encode(b"x" * 101)
    reading, writing = ends
    send(writing, b"x" * 101)
    with pytest.raises(Foreign, match="101 bytes"):
        Inbox(reading).receive()


def test_a_worker_cannot_make_the_memory_smaller_that_its_parent_reads(box):
    (reply,) = box.run([Lease(0, "hostile:obey", ["shrink_memory", 7])])
    assert isinstance(reply.results[0], int)
    assert reply.results[1] == ("ready", 7)


def test_a_call_that_writes_without_end_takes_no_memory_without_end(box, monkeypatch):
    most, shorten = [], client.Worker._shorten_output

    def look_and_shorten(worker, limit):
        most.append(os.fstat(worker._output).st_size)
        shorten(worker, limit)

    monkeypatch.setattr(client.Worker, "_shorten_output", look_and_shorten)
    (reply,) = box.run([Lease(0, "hostile:obey", ["flood", 7], limits=Limits(seconds=60.0, patience=60.0))])
    assert reply.results == [None, ("ready", 7)]
    assert max(most) < 1 << 30
    assert sum(size > 64 << 20 for size in most) > 1


def test_no_call_has_patience_without_end():
    descriptor = make_memory()
    marker = ProgressMarker(descriptor)
    for allowance in (float("inf"), float("nan"), -1.0, 0.0, 1e300):
        marker.leave("a step", allowance)
        assert marker.read().allowance == 100.0
    marker.leave("a step", 99.0)
    assert marker.read().allowance == 99.0
    os.close(descriptor)
