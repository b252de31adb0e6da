"""The agent that orders a deck and a PDF and asks a person to approve them."""
