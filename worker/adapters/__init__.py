"""The outside: clocks, files, ADK's services, the transport. Adapters know nothing of jobs or stages."""
