"""``ordbo watch``: the report, alive: a server on this machine that follows the files of studies."""
