"""Studies of one folder for agents, by the Model Context Protocol: ``ordbo mcp``."""
