"""Bit generators and generators of `tfnp.numpy` take and return arrays, and draw NumPy's numbers."""

from __future__ import annotations

import copy
import pickle

import numpy
import pytest

import tfnp.numpy as np

KINDS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")


@pytest.mark.parametrize("kind", KINDS)
def test_words_are_integers_and_arrays(kind):
    ours, numpys = (getattr(module.random, kind)(module.array([1, 2, 3])) for module in (np, numpy))
    word = ours.random_raw()
    assert type(word) is int
    assert word == numpys.random_raw()
    words = ours.random_raw((2, 2))
    assert type(words) is np.ndarray
    assert words.tolist() == numpys.random_raw((2, 2)).tolist()
    assert ours.random_raw(3, output=False) is None


@pytest.mark.parametrize("kind", KINDS)
def test_bit_generators_have_states_and_copies(kind):
    ours = getattr(np.random, kind)(np.random.SeedSequence(np.array([5, 6])))
    assert ours.random_raw() == getattr(numpy.random, kind)(numpy.random.SeedSequence([5, 6])).random_raw()
    generator = np.random.Generator(ours)
    assert type(generator.bit_generator) is type(ours)
    assert isinstance(ours, np.random.BitGenerator)
    other = type(ours)(0)
    other.state = ours.state
    copies = [other, pickle.loads(pickle.dumps(ours)), copy.deepcopy(generator).bit_generator]
    following = ours.random_raw()
    assert [one.random_raw() for one in copies] == [following] * 3
    assert [type(child) for child in ours.spawn(2)] == [type(ours)] * 2


def test_the_state_of_the_legacy_generator_has_an_array():
    for source in (np.random.RandomState(3), np.random):
        state = source.get_state()
        assert type(state[1]) is np.ndarray
        drawn = source.rand()
        source.set_state(state)
        assert source.rand() == drawn


def test_methods_of_the_class_take_a_generator():
    ours, numpys = np.random.default_rng(2), numpy.random.default_rng(2)
    drawn = np.random.Generator.permutation(ours, np.arange(6))
    assert type(drawn) is np.ndarray
    assert drawn.tolist() == numpy.random.Generator.permutation(numpys, numpy.arange(6)).tolist()
    assert np.random.Generator.normal(ours, size=2).tolist() == numpys.normal(size=2).tolist()
