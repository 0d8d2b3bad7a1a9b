"""What a run may be seeded with, on the command line and on the page."""

MOST_SEED = 2**31 - 1


def seed(text: str) -> int:
    """Of an argument. Raises ValueError for none, which is wrong usage."""
    number = int(text)
    if not 0 <= number <= MOST_SEED:
        raise ValueError
    return number
