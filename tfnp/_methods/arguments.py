"""Positional-only parameters of methods that NumPy nevertheless accepts as keywords."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def accept_names(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that also accepts the first arguments after `self` as keywords of these names."""

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            for name in names[len(args) :]:
                if name not in kwargs:
                    break
                args = (*args, kwargs.pop(name))
            return method(self, *args, **kwargs)

        return call

    return decorate
