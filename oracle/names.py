"""NumPy's public names by topic; what we leave out, and why."""

TOPICS: dict[str, tuple[str, ...]] = {}
NAMES: tuple[str, ...] = ()
LEFT_OUT: dict[str, str] = {}
ALIASES: dict[str, str] = {}
