"""Simulators as test problems: they jump, fail or span decades, and answer in well under a second."""
