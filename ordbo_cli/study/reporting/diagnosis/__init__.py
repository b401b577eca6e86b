"""How far the model can be trusted: the figures, and a sentence for each."""
