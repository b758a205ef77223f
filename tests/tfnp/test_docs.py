"""Docstrings that users see: NumPy's own, with our notes in them."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest

import tfnp
from tfnp._core.docs import TITLE, merge_docs

NAMESPACES = {
    "tfnp": (tfnp, np),
    "tfnp.linalg": (tfnp.linalg, np.linalg),
    "tfnp.fft": (tfnp.fft, np.fft),
    "tfnp.strings": (tfnp.strings, np.strings),
    "tfnp.emath": (tfnp.emath, np.emath),
    "tfnp.random": (tfnp.random, np.random),
    "tfnp.polynomial.chebyshev": (tfnp.polynomial.chebyshev, np.polynomial.chebyshev),
}


def public_functions(namespace):
    names = getattr(namespace, "__all__", None) or [name for name in vars(namespace) if not name.startswith("_")]
    return {name: getattr(namespace, name) for name in names if inspect.isfunction(getattr(namespace, name))}


@pytest.mark.parametrize("home", NAMESPACES)
def test_functions_show_numpys_text_and_where_they_are(home):
    subject, numpy_namespace = NAMESPACES[home]
    for name, function in public_functions(subject).items():
        assert function.__doc__, name
        original = getattr(numpy_namespace, function.__name__, None)
        if original is not None and original.__doc__:
            assert function.__doc__.split("\n\n")[0].rstrip() == original.__doc__.split("\n\n")[0].rstrip(), name
        assert function.__module__ in {home, "numpy", "tfnp.polynomial.polyutils"}, name


def test_notes_come_before_numpys_notes_and_examples():
    doc = inspect.getdoc(tfnp.mean)
    sections = ["Parameters\n---", "Returns\n---", f"{TITLE}\n---", "See Also\n---", "Examples\n---"]
    assert sections == sorted(sections, key=doc.index)
    assert "float16" in doc[doc.index(TITLE) : doc.index("See Also")]


def test_notes_keep_the_margin_of_the_text_they_are_put_in():
    merged = merge_docs(
        "Sum.\n\n        More.\n\n        Examples\n        --------\n        >>> 1\n", "Ours.\n\n    More.\n    "
    )
    assert merged.splitlines() == [
        *("Sum.", "", "        More.", "", f"        {TITLE}", f"        {'-' * len(TITLE)}"),
        *("        Ours.", "", "        More.", "", "        Examples", "        --------", "        >>> 1"),
    ]


def test_what_has_one_text_keeps_it():
    assert merge_docs(None, "Ours.") == "Ours."
    assert merge_docs("Theirs.", None) == "Theirs."


def test_functions_are_pickled_by_the_name_users_know():
    assert b"tfnp.linalg" in pickle.dumps(tfnp.linalg.inv)
    assert pickle.loads(pickle.dumps(tfnp.mean)) is tfnp.mean
