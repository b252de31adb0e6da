"""Running our own functions over hostile bytes in a child process that may be lost without harm."""
