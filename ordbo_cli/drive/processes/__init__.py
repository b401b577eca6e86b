"""Processes that are started, watched and ended."""
