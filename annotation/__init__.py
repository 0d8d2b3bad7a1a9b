"""The annotation workbench: projects, blind double annotation, review, agreement, files."""
