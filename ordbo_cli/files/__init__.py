"""The user's files as they are on disk: the problem, the tables, the state."""
