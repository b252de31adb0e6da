"""What this process answers over HTTP: pushed messages, its health, and pages on which people decide."""
