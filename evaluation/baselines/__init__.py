"""Memories of other papers, written here after them, behind one interface: what they are compared with must be as they describe it, and nothing of their code."""
