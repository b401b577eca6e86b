"""The files of a study read together: what stands, and what waits."""
