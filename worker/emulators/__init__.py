"""Servers that stand in for Google's, and a PostgreSQL, each found on this machine and started for a while."""
