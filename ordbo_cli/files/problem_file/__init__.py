"""The problem file: YAML, its schema, and the problem that it makes."""
