"""Decisions: agents on google-adk, the models that answer for them, and the rules of pausing and resuming."""
