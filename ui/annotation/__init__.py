"""The pages of the annotation workbench: one page of our own, an address that does what it asks, and one for files."""
