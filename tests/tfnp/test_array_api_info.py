"""What a program may ask of the namespace."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp._core.dtypes import set_promotion

INFO = tfnp.__array_namespace_info__()
NUMPYS = np.__array_namespace_info__()


def test_answers_are_numpys_but_for_devices():
    assert INFO.capabilities() == NUMPYS.capabilities()
    assert INFO.default_dtypes() == NUMPYS.default_dtypes()
    for kind in (None, "bool", "integral", ("real floating", "complex floating")):
        assert INFO.dtypes(kind=kind) == NUMPYS.dtypes(kind=kind)
    for name in ("capabilities", "default_device", "devices", "default_dtypes", "dtypes"):
        own, numpys = (inspect.signature(getattr(info, name)) for info in (INFO, NUMPYS))
        assert list(own.parameters) == list(numpys.parameters)


def test_devices_are_tensorflows():
    assert INFO.default_device() in INFO.devices()
    assert len(INFO.devices()) == len(tf.config.list_logical_devices())
    for device in INFO.devices():
        assert tfnp.zeros(2, device=device).shape == (2,)
        assert INFO.default_dtypes(device=device)["integral"] == np.int64
    with pytest.raises(ValueError, match=r"(?i)device"):
        INFO.dtypes(device="nowhere")


def test_the_default_float_is_the_one_in_force():
    before = set_promotion("legacy", prefer_float32=True)
    try:
        assert INFO.default_dtypes()["real floating"] == tfnp.zeros(1).dtype == np.float32
    finally:
        set_promotion(before.mode, prefer_float32=before.prefer_float32)
