"""Optimisers of other libraries, each through its own public interface."""
