"""What the signatures do not say: a line for each function whose arguments relate, a file a topic."""
