"""Driving simulators: what is called for a point, where it runs, what it answers, and what comes next."""
