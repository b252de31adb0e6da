"""The ledger: what is true of every job, on SQLite and PostgreSQL; each change names the state that it expects."""
