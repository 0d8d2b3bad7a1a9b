"""What is said, read for what it tells."""

from libraries import without

with without(
    "torch", "cupy"
):  # engines of the parser's library, which it would import where they lie; ours runs on NumPy: 4 s and 300 MB less
    import thinc.compat  # noqa: F401
