"""What the records of an experiment say: ratios to a baseline, ranks, data profiles."""
