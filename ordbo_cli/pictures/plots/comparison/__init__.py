"""Pictures of methods that are compared."""
