"""Prompts as versioned files with a manifest; a released version never changes."""
