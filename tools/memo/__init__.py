"""The memorandum: a PDF whose every number leads to its cells."""
