"""Records, SQLite (the truth), the Chroma index, the outbox. The only room that knows SQL and Chroma."""
