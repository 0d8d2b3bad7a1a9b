"""The page (Gradio). No SQL, no prompts, no engine logic."""

from libraries import without

with without("pyarrow"):  # Gradio imports pandas, and pandas imports it where it lies; the page shows no table of theirs
    import pandas  # noqa: F401
