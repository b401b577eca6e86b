"""Lets ``python -m ordbo_cli`` do what ``ordbo`` does."""

from __future__ import annotations

import sys

from ordbo_cli.cli import main

if __name__ == "__main__":
    sys.exit(main())
