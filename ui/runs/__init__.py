"""The page of evaluation runs: start one, watch it, compare two, open a question down to its receipt."""
