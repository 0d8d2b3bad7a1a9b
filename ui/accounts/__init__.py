"""Pages of our own beside Gradio's: logging in, the first admin, one's account, everybody's accounts."""
