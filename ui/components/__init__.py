"""The page's own components: a script each that builds nodes from a value, text always as text."""
