"""What these tests share with those of the command line."""

from __future__ import annotations

from tests.cli.conftest import environment, ordbo, process

__all__ = ["environment", "ordbo", "process"]
