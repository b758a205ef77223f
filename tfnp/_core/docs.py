"""Docstrings and homes of public functions.

`help(tfnp.mean)` shows the text of the installed NumPy, read at run time, and in it a section "Notes for TensorFlow":
the docstring that stands in our source, which says only what NumPy's does not. Nothing of NumPy's text is copied here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import FunctionType
from typing import Any, Final

_documented: Final[set[FunctionType]] = set()
TITLE: Final = "Notes for TensorFlow"
_INDENT: Final = re.compile(r"\n([ \t]*)\S")
_LATER_SECTION: Final = re.compile(r"\n[ \t]*(?:See Also|Notes|References|Examples)\n[ \t]*-{3,}")


def document(namespace: Mapping[str, Any], numpy_namespace: Any, module: str) -> None:
    """Give public functions NumPy's docstrings with our notes, and the module that users import them from.

    Parameters
    ----------
    namespace
        `vars()` of a module or a class. What is no public function of this package is left alone, as is a function
        that has a home already.
    numpy_namespace
        The namespace or class in NumPy that has functions of the same names.
    module
        The home, such as "tfnp.linalg".
    """
    for name in namespace.get("__all__") or list(namespace):
        value = namespace[name]
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if name.startswith("_") or not isinstance(function, FunctionType) or function in _documented:
            continue
        if not function.__module__.startswith("tfnp."):
            continue
        original = getattr(numpy_namespace, function.__name__, None) or getattr(numpy_namespace, name, None)
        function.__doc__ = merge_docs(getattr(original, "__doc__", None), function.__doc__)
        function.__module__ = module
        _documented.add(function)


def merge_docs(numpy_doc: str | None, notes: str | None) -> str | None:
    """Return NumPy's docstring with our notes in it, before its own notes and examples."""
    if not numpy_doc or not notes or TITLE in notes:
        return notes or numpy_doc
    margin = _find_margin(numpy_doc)
    indented = notes.rstrip().replace("\n" + _find_margin(notes), "\n" + margin)
    section = f"\n{margin}{TITLE}\n{margin}{'-' * len(TITLE)}\n{margin}{indented}\n"
    later = _LATER_SECTION.search(numpy_doc)
    at = later.start() if later else len(numpy_doc.rstrip())
    return f"{numpy_doc[:at].rstrip()}\n{section}{numpy_doc[at:] or chr(10) + margin}"


def _find_margin(doc: str) -> str:
    """Return the indentation of the first line with text after the summary's."""
    match = _INDENT.search(doc)
    return match.group(1) if match else ""
