"""The ordinal latent Gaussian process (Section 2): warps, likelihood, ELBO, fit and posterior."""
