"""Triage: from differences to findings, which are reduced, deduplicated, grouped by root cause, and stored."""
