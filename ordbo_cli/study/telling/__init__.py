"""What became of a point: from an answer to a row."""
