"""The memory engine: construction, recall, forgetting. Pure algorithms and one façade, `memory.engine`."""
