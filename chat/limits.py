"""Bounds of what a turn accepts."""

MAX_MESSAGE_CHARS = 20_000
"""Longest message, characters: about thirty pages, four times the largest pasted letter we have seen, and far below what slows a page down."""
MAX_QUESTION_CHARS = 1_000
"""Longest question to the memory: it is embedded whole (`models.embedder.MAX_CHARS`)."""
MAX_SEARCH_CHARS = 200
"""Of what is searched for: a sentence."""
MAX_NAME_CHARS = 80
"""Of a chat or a branch: what fits on one line of the list."""
MAX_PLAYER_NAME_CHARS, MAX_PLAYER_CHARS = 60, 20_000
"""Of a player's persona: its name, and what it says; a prompt takes as much of that as an eighth of its room."""
MOST_PLAYERS = 200
"""Of one user: the list is drawn whole."""
MAX_PICTURE_BYTES = 8 * 2**20
"""Of a picture that somebody chooses: what a telephone's camera makes."""
MAX_MEMORY_CHARS = {"fact": 500, "persona": 200, "insight": 500, "plot": 2_000, "topic": 1_500}
"""Longest text that a person may put in the place of a memory's, by kind: what extraction makes is at most 400; nine of them share 600 tokens of prompt."""
MAX_NOTE_CHARS = 4_000
"""Of an author's note; a prompt takes as much of it as an eighth of its room."""
MAX_NOTE_DEPTH, MAX_NOTE_EVERY = 200, 100
NOTE_ROLES = ("user", "system")
FIRST_YEAR, LAST_YEAR = 100, 9000
"""Of a story's day: far enough from the ends of the calendar that "a thousand years ago" can be counted, or is refused where it is said."""
