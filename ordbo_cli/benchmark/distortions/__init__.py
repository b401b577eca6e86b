"""The same test problem seen otherwise, and how much each method makes of it."""
