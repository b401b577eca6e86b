"""Section 5 of the paper: test problems, baselines, and the experiments that compare them."""
