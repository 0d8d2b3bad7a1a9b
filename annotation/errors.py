"""What a person can do wrong at the workbench, beside what `storage.annotation_errors` refuses."""

from __future__ import annotations

from storage.annotation_errors import AnnotationError


class FieldMissing(AnnotationError):
    """params: `field`."""

    code = "field_missing"


class FieldTooLong(AnnotationError):
    """params: `field`, `limit`, characters or entries."""

    code = "field_too_long"


class FieldRefused(AnnotationError):
    """A value that the page never sends; params: `field`."""

    code = "field_refused"


class NoPlace(AnnotationError):
    """A memory point that names no turn of the dialogue."""

    code = "no_place"


class QuoteMoved(AnnotationError):
    """A quote that does not stand where it says."""

    code = "quote_moved"


class Undecided(AnnotationError):
    """params: `n`, differences without a decision."""

    code = "undecided"


class MergedIntoNothing(AnnotationError):
    """A point was merged with one that does not become gold itself."""

    code = "merged_into_nothing"


class ProbeFaulty(AnnotationError):
    """A regular probe that its lint finds a fault in; params: `n`."""

    code = "probe_faulty"


class DistanceTooLong(AnnotationError):
    """params: `rounds`, how many the dialogue has."""

    code = "distance_too_long"


class FileRefused(AnnotationError):
    """params: `where`, `reason` (in English, as it names fields of the format)."""

    code = "file_refused"

    def __init__(self, *, where: str, reason: str) -> None:
        super().__init__(f"{where + ': ' if where else ''}{reason}. Nothing was taken in.", where=where, reason=reason)
