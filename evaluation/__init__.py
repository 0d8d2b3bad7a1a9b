"""Datasets, measures, systems and runs; `python -m evaluation`."""
