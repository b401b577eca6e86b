"""What a cell, an argument or a line of output says: numbers, levels, results."""
