"""The agent that reads an upload into deals, settling what the rules leave open."""
