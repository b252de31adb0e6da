"""Values that every other package shares: no input or output, no clock, no environment."""
