"""Test problems of several objectives, whose best trades are known."""
