"""The history of a subject's findings over weeks: an append-only database, and what can be read from it."""
