"""The deck: an extraction planned as slides, then written as a native, editable PowerPoint file."""
