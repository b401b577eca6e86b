"""The paper's figures, drawn with matplotlib (extra ``ordbo[plots]``)."""
