"""Pictures of several objectives, and what they share."""
