"""The page's own components: each a small `gr.HTML` whose script builds nodes from its value, text always as text."""
