"""NumPy's API on TensorFlow: arrays are plain tensors."""

from tfnp.routines.constants import *  # noqa: F403
from tfnp.routines.creation import *  # noqa: F403
from tfnp.routines.editing import *  # noqa: F403
from tfnp.routines.grids import *  # noqa: F403
from tfnp.routines.joining import *  # noqa: F403
from tfnp.routines.matrices import *  # noqa: F403
from tfnp.routines.padding import *  # noqa: F403
from tfnp.routines.ranges import *  # noqa: F403
from tfnp.routines.rearranging import *  # noqa: F403
from tfnp.routines.scalars import *  # noqa: F403
from tfnp.routines.shaping import *  # noqa: F403
from tfnp.routines.sources import *  # noqa: F403
from tfnp.routines.splitting import *  # noqa: F403
from tfnp.routines.tiling import *  # noqa: F403
from tfnp.routines.transposition import *  # noqa: F403
from tfnp.routines.ufuncs import *  # noqa: F403 - each name has its line in the topic's __all__

__version__ = "0.1.0"
