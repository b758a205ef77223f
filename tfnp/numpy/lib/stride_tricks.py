"""Windows and strides over an array: read-only views."""

from tfnp.numpy.viewing import as_strided, broadcast_to, sliding_window_view

__all__ = ["as_strided", "broadcast_to", "sliding_window_view"]
