"""A turn: recall, prompt, stream, commit; chats, their import and their reading for the page."""
