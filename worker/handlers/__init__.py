"""What is done about each kind of event: one module a family, one function an event."""
