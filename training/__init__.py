"""How the reader in the box was made: examples of ours, what learns from them, and what is shipped. Nothing of the program imports this room."""
