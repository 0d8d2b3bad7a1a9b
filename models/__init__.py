"""Gateways to models: chat and memory LLM, embedded llama.cpp, embedder."""
