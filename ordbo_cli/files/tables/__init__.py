"""CSV tables: dialects, cells, rows; reading them and appending to them."""
