"""Deterministic work on documents: no model, no server, no database."""
