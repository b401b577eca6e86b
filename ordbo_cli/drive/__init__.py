"""Driving simulators: what stands between a study and the programs that evaluate its points."""
