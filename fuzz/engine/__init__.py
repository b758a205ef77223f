"""The campaign: what is run next, where, and what comes of it."""
