"""One problem and what is known of it: the study, with files behind it, and the optimizer, without."""
