"""Rivals of other libraries, one module each: importing one imports its library."""
