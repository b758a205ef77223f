"""Memory that belongs to others is shared, as in NumPy: buffers, blocks between processes, files, other libraries."""

from __future__ import annotations

import array
import ctypes
import io
import mmap
import multiprocessing
import pickle
from multiprocessing.shared_memory import SharedMemory

import numpy
import pytest
import tensorflow as tf

import tfnp.numpy as np

BYTES = 24


def _map_anonymously():
    return mmap.mmap(-1, BYTES)


OWNERS = {
    "bytearray": lambda: bytearray(BYTES),
    "array.array": lambda: array.array("d", [0.0] * 3),
    "memoryview": lambda: memoryview(bytearray(BYTES)),
    "ctypes": ctypes.c_double * 3,
    "mmap": _map_anonymously,
    "multiprocessing.Array": lambda: multiprocessing.Array("d", 3).get_obj(),
    "numpy.ndarray": lambda: numpy.zeros(3),
}


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("make", [np.frombuffer, lambda buffer: np.ndarray((3,), float, buffer)])
def test_both_sides_see_writes(owner, make):
    buffer = OWNERS[owner]()
    theirs, ours = numpy.frombuffer(buffer), make(buffer)
    assert type(ours) is np.ndarray
    ours[0] = 1.0
    ours[1:] += 2.0
    assert theirs.tolist() == [1.0, 2.0, 2.0]
    assert tf.add(ours, 1.0).numpy().tolist() == [2.0, 3.0, 3.0]
    theirs[2] = 7.0
    assert ours.tolist() == [1.0, 2.0, 7.0]
    assert tf.add(ours, 1.0).numpy().tolist() == [2.0, 3.0, 8.0]
    np.add(ours, 1.0, out=ours)
    assert theirs.tolist() == [2.0, 3.0, 8.0]
    assert not ours.flags.owndata


def test_converters_share_buffers():
    for name in ("bytearray", "array.array", "memoryview", "mmap"):
        buffer = OWNERS[name]()
        np.asarray(buffer)[0] = 1
        assert memoryview(buffer)[0] == 1
        np.array(buffer)[1] = 1
        assert memoryview(buffer)[1] == 0


def test_blocks_of_shared_memory():
    block = SharedMemory(create=True, size=BYTES)
    try:
        ours = np.ndarray((3,), buffer=block.buf)
        ours[:] = [1.0, 2.0, 3.0]
        with tf.GradientTape() as tape:
            tape.watch(ours)
            ours *= 2.0
            loss = (ours**2).sum()
        assert float(loss) == 56.0
        assert tape.gradient(loss, ours).tolist() == [8.0, 16.0, 24.0]
        other = SharedMemory(block.name)
        assert numpy.frombuffer(other.buf, count=3).tolist() == [2.0, 4.0, 6.0]
        other.close()
        del ours, loss, tape
    finally:
        block.unlink()


def test_strided_and_offset_memory():
    buffer = bytearray(64)
    numpy.frombuffer(buffer, "i4")[:] = numpy.arange(16)
    for options in ({"strides": (16, 8)}, {"order": "F"}, {"offset": 4}, {"offset": 2}):
        expected = numpy.ndarray((3, 2), "i4", buffer, **options)
        actual = np.ndarray((3, 2), "i4", buffer, **options)
        assert numpy.array_equal(actual, expected)
        assert actual.strides == expected.strides
        assert numpy.array_equal(tf.add(actual, 1), expected + 1)
        assert numpy.array_equal(actual.reshape(-1), expected.reshape(-1))
        actual.T[1] = 5
        assert numpy.array_equal(actual, expected)


def test_read_only_buffers():
    for array_of_bytes in (np.frombuffer(bytes(8)), np.ndarray((1,), buffer=bytes(8))):
        assert not array_of_bytes.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array_of_bytes[0] = 1.0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array_of_bytes.flags.writeable = True


def test_what_no_tensor_holds_is_numpys():
    assert type(np.frombuffer(bytes(8), ">f8")) is numpy.ndarray
    assert type(np.ndarray((2,), object)) is numpy.ndarray


def test_graphs_cannot_write_to_shared_memory():
    buffer = bytearray(8)

    @tf.function
    def write():
        shared = np.frombuffer(buffer)
        shared[0] = 1.0
        return shared

    with pytest.raises(TypeError, match=r"belongs to other objects.*x = x.copy\(\)"):
        write()


def test_dlpack_shares_memory():
    theirs = numpy.zeros(3)
    ours = np.from_dlpack(theirs)
    ours[0] = 1.0
    assert theirs[0] == 1.0
    again = np.from_dlpack(ours)
    again[1] = 2.0
    assert theirs.tolist() == [1.0, 2.0, 0.0]
    assert np.from_dlpack(tf.ones(2)).tolist() == [1.0, 1.0]


def test_files(tmp_path):
    np.savez(tmp_path / "z.npz", a=np.arange(3.0), b=np.array(["x"]))
    with np.load(tmp_path / "z.npz") as archive:
        assert isinstance(archive, numpy.lib.npyio.NpzFile)
        loaded = dict(archive)
        assert {name: type(item) for name, item in loaded.items()} == {"a": np.ndarray, "b": np.ndarray}
        assert type(archive.f.a) is np.ndarray
    loaded["a"][0] = 5.0
    assert (loaded["a"] / 2).tolist() == [2.5, 0.5, 1.0]
    np.save(tmp_path / "x.npy", np.zeros(3))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r+")
    mapped += np.ones(3)
    mapped.flush()
    assert np.load(tmp_path / "x.npy").tolist() == [1.0, 1.0, 1.0]
    numpy.save(tmp_path / "f.npy", numpy.ones((2, 3), order="F"))
    assert np.load(tmp_path / "f.npy").flags.f_contiguous
    records = io.BytesIO()
    numpy.save(records, numpy.zeros(2, "i4, f8"))
    records.seek(0)
    assert type(np.load(records)) is numpy.ndarray


def test_pickles_keep_the_order():
    copy = pickle.loads(pickle.dumps(np.ones((2, 3), order="F")))
    assert copy.flags.f_contiguous
    assert not copy.flags.c_contiguous


VIEWS = {
    "whole": lambda x: x,
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1],
    "columns": lambda x: x[:, 1:],
    "row": lambda x: x[1],
    "empty": lambda x: x[:0],
    "rank 0": lambda x: x[1, 1, ...],
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("protocol", ["buffer", "__array__", "__array_interface__", "__dlpack__"])
def test_other_code_writes_to_arrays(view, protocol):
    x = np.arange(6.0).reshape(2, 3)
    ours = VIEWS[view](x)
    theirs = {
        "buffer": lambda: numpy.asarray(memoryview(ours)),
        "__array__": ours.__array__,
        "__array_interface__": lambda: numpy.asarray(Interface(ours)),
        "__dlpack__": lambda: numpy.from_dlpack(ours),
    }[protocol]()
    assert type(theirs) is numpy.ndarray
    assert numpy.array_equal(theirs, ours.memory())
    assert theirs.strides == ours.strides or not ours.size
    tf.add(x, 1.0)  # keeps a tensor
    part = theirs[...]
    del theirs
    part[...] = 9.0
    assert numpy.array_equal(tf.add(x, 0.0), x.memory())
    assert (numpy.asarray(tf.add(ours, 0.0)) == 9.0).all()


class Interface:
    """An object of another library that passes on the interface of an array."""

    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__


def test_buffers_are_what_python_asks_for():
    x = np.arange(3.0)
    written = io.BytesIO()
    assert written.write(x) == BYTES
    assert written.getvalue() == x.tobytes()
    assert numpy.frombuffer(x).tolist() == [0.0, 1.0, 2.0]
    assert memoryview(np.array(True)).format == "?"

    @tf.function
    def read(symbolic):
        with pytest.raises((SystemError, TypeError)):
            memoryview(symbolic)
        assert not hasattr(symbolic, "__array_interface__")
        return symbolic

    read(x)


def test_isinstance_is_true_of_numpys_class():
    x = np.ones((2, 2))
    assert isinstance(x, numpy.ndarray)
    assert isinstance(x[0], numpy.ndarray)
    assert not isinstance(x.sum(), numpy.ndarray)
    assert type(x) is np.ndarray
    assert isinstance(numpy.ones(2), np.ndarray)
