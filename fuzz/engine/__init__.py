"""The campaign: which cases run next, where they run, and what becomes of the results."""
