"""Domains: whose names a subject has, and which options apply."""

from __future__ import annotations

import pytest

from fuzz.engine.domain import Unusable
from fuzz.engine.domains import NUMPY_CALLS, check_modes, check_options, find_domain
from oracle.harness import NAMES, OPS, PREFIX


def test_every_subject_has_a_domain():
    assert find_domain("tfnp") is find_domain(None) is NUMPY_CALLS
    assert find_domain("tfnp").names == tuple(NAMES)
    assert set(find_domain("tensorflow").names) == {PREFIX + op for op in OPS}


def test_modes_and_options_that_say_nothing_about_a_domain_are_refused():
    check_modes("tfnp", ("vmap",))
    check_options("tfnp", ("setup", "errors"))
    check_options("tensorflow", ("devices", "seed"))
    with pytest.raises(Unusable, match="tensorflow runs in eager, graph, xla, not in vmap"):
        check_modes("tensorflow", ("eager", "vmap"))
    with pytest.raises(Unusable, match="tensorflow does not take --values-only"):
        check_options("tensorflow", ("seed", "values_only"))
