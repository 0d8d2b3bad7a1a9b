"""Bounds of what a turn accepts."""

MAX_MESSAGE_CHARS = 20_000
"""Longest message, characters: about thirty pages, four times the largest pasted letter we have seen, and far below what slows a page down."""
MAX_NAME_CHARS = 80
"""Of a chat or a branch: what fits on one line of the list."""
