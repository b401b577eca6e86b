"""Test problems, and a user's own simulator as one."""
