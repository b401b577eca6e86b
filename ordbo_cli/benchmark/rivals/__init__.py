"""Methods that are compared: ours, baselines and other optimisers."""
