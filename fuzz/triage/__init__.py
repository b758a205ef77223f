"""From sightings to findings: reduced, told apart, grouped by root cause, and written to the directory of the run."""
