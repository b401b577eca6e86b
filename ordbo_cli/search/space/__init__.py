"""Where points may lie: axes, levels, the feasible part, and the design that fills it."""
