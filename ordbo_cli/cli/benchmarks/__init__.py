"""What `ordbo benchmark` does and shows: the experiment, its tables, its page."""
