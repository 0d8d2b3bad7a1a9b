"""The page (Gradio). No SQL, no prompts, no engine logic."""
