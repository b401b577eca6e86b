"""The search over cells (Section 3): initial design, acquisitions, and the step itself."""
