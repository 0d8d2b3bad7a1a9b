"""Characters: the built-in cast and their records."""
