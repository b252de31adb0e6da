"""The process: deliveries come in, the ledger says what is to be done, agents and tools do it, effects happen once."""
