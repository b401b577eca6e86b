"""Section 3 of the paper: the cells between values, what each is worth, and where in it the next point goes."""
