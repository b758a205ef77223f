"""The verdict corpus: recorded outcomes with their verdicts, judged again with NumPy alone when the judge changes."""
