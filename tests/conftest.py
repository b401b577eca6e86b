"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same examples on every run, and no verdict that hangs on how busy the machine is.
settings.register_profile("ordbo", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ordbo")
