"""Character cards and lorebooks of other programs: read with everything that is in them, told about, written again."""
