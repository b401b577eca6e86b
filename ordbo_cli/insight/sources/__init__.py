"""What results of other sources are worth."""
