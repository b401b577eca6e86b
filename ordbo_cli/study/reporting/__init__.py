"""Where a study stands, for people and programs."""
