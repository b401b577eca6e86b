"""Running simulators: what is called for a point, where it runs, and what it answers."""
