"""Real servers for development, tests and small installations; the product does not know it."""
