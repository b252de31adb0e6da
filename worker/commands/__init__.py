"""What the command line's commands do, one module a family; each is imported when its command is called."""
