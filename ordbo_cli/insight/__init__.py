"""What is read off a fit: views of it, explanations, checks, the theory's figures."""
