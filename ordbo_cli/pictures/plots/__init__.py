"""One module for each picture that can be asked for, and what two of them share."""
