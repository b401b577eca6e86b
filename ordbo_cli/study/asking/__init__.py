"""What to evaluate next, and why."""
