"""Arrays in files."""

from __future__ import annotations

import io

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, array

BUILT_IN = [dtype for dtype in DTYPES if dtype.isbuiltin != 2]


@pytest.mark.parametrize("dtype", BUILT_IN, ids=str)
def test_save_and_load(tmp_path, dtype):
    path = tmp_path / "x.npy"
    for value in (array(dtype=dtype), array(2, 0, dtype=dtype), array(2, 3, dtype=dtype)):
        tfnp.save(path, tf.constant(value))
        np.testing.assert_array_equal(np.load(path), value)
        result = tfnp.load(path)
        assert isinstance(result, tf.Tensor)
        assert result.dtype == dtype
        np.testing.assert_array_equal(result, value)


def test_what_numpy_saved_is_loaded_in_the_byte_order_of_the_machine(tmp_path):
    np.save(tmp_path / "x.npy", np.asfortranarray(array(2, 3, dtype=">i4")))
    for mode in (None, "r", "c"):
        assert tfnp.load(tmp_path / "x.npy", mode).numpy().tolist() == array(2, 3).tolist()
    with pytest.raises(ValueError, match="cannot write to a file"):
        tfnp.load(tmp_path / "x.npy", "r+")


@pytest.mark.parametrize("name", ["savez", "savez_compressed"])
def test_archives(tmp_path, name):
    path = tmp_path / "x.npz"
    getattr(tfnp, name)(path, tf.constant([1, 2]), weights=tf.Variable([0.5]), listed=[1.0])
    with tfnp.load(path) as archive:
        assert set(archive) == set(archive.files) == {"arr_0", "weights", "listed"}
        assert len(archive) == 3
        assert "weights" in archive
        assert archive["arr_0"].dtype == tf.int32
        assert {key: value.numpy().tolist() for key, value in archive.items()}["weights"] == [0.5]
    with pytest.raises((ValueError, AttributeError)):
        archive["listed"]


def test_unsupported_dtypes_are_refused(tmp_path):
    with pytest.raises(TypeError, match="does not support bfloat16"):
        tfnp.save(tmp_path / "x.npy", tf.zeros(2, tf.bfloat16))
    with pytest.raises(TypeError, match="does not support bfloat16"):
        tfnp.savez(tmp_path / "x.npz", tf.zeros(2, tf.bfloat16))
    with pytest.raises(TypeError, match="object"):
        tfnp.save(tmp_path / "x.npy", np.array([None]))
    np.save(tmp_path / "dates.npy", np.array(["2020-01-01"], "M8[D]"))
    with pytest.raises(TypeError, match="is not supported"):
        tfnp.load(tmp_path / "dates.npy")


def test_value_must_be_static_in_a_graph(tmp_path):
    with pytest.raises(TypeError, match="must be static"):
        tf.function(lambda x: tfnp.save(tmp_path / "x.npy", x), autograph=False)(tf.zeros(2))
    tf.function(lambda: tfnp.save(tmp_path / "x.npy", [1, 2]), autograph=False)()
    assert tfnp.load(tmp_path / "x.npy").numpy().tolist() == [1, 2]


def test_formatted_numbers(tmp_path):
    path = tmp_path / "x.txt"
    tfnp.savetxt(path, tf.constant([[1.5, 2], [3, 4]]), fmt="%g", header="a b")
    assert path.read_text() == "# a b\n1.5 2\n3 4\n"
    for read in (tfnp.loadtxt, tfnp.genfromtxt):
        result = read(path)
        assert result.dtype == tf.float64
        assert result.numpy().tolist() == [[1.5, 2], [3, 4]]
        assert read(path, dtype=tf.bfloat16, usecols=0).dtype == tf.bfloat16
        _, second = read(path, unpack=True)
        assert second.numpy().tolist() == [2, 4]
        assert read(io.StringIO("1,2"), dtype=int, delimiter=",", ndmin=2).shape == (1, 2)
    assert tfnp.genfromtxt(io.StringIO("1,,3"), delimiter=",", filling_values=7).numpy().tolist() == [1, 7, 3]
    assert tfnp.genfromtxt(io.StringIO("1 2"), dtype=None).dtype == tf.int64


def test_columns_of_several_dtypes_are_refused():
    with pytest.raises(TypeError, match="is not supported"):
        tfnp.genfromtxt(io.StringIO("a 1"), dtype=None)
    with pytest.raises(TypeError, match="masked"):
        tfnp.genfromtxt(io.StringIO("1"), usemask=True)
    with pytest.raises(ValueError, match="could not convert"):
        tfnp.loadtxt(io.StringIO("a"))


def test_bytes(tmp_path):
    path = tmp_path / "x"
    for dtype in (*BUILT_IN, np.dtype(">f4"), DTYPES[-1]):
        array(4, dtype=dtype).tofile(path)
        assert np.array_equal(tfnp.fromfile(path, dtype, 2, offset=dtype.itemsize), array(4, dtype=dtype)[1:3])
    path.write_text("1, 2, 3")
    assert tfnp.fromfile(path, sep=",").numpy().tolist() == [1, 2, 3]
    assert tfnp.fromfile(path, tf.int8, sep=",").dtype == tf.int8
