"""Several objectives in a step: the trade that it searches by, and what people prefer."""
