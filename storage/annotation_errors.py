"""What the annotation workbench refuses. Its pages have a sentence for each code (`ui.annotation.words`)."""

from __future__ import annotations

from errors import KeepsakeError


class AnnotationError(KeepsakeError):
    code = "annotation"


class NotThere(AnnotationError):
    """It does not exist, or is not to be seen by whoever asks; the two are not told apart."""

    code = "not_there"


class NotAllowed(AnnotationError):
    """Of a role that may not do this."""

    code = "not_allowed"


class OwnWork(AnnotationError):
    """Somebody would review what they wrote."""

    code = "own_work"


class NothingLeft(AnnotationError):
    """No dialogue of the project waits for this person."""

    code = "nothing_left"


class ChangedMeanwhile(AnnotationError):
    """Another tab of the same person was faster."""

    code = "changed_meanwhile"


class AlreadySubmitted(AnnotationError):
    code = "already_submitted"


class LeaseLost(AnnotationError):
    """Too long unused: somebody else has taken the place."""

    code = "lease_lost"


class ReviewBegun(AnnotationError):
    """What was submitted is being reviewed and cannot be taken back any more."""

    code = "review_begun"


class NotReady(AnnotationError):
    """Not both annotators have submitted."""

    code = "not_ready"


class BothDecided(AnnotationError):
    """A review that is taken back when the other one is there already."""

    code = "both_decided"


class ProjectClosed(AnnotationError):
    code = "project_closed"


class NothingToUndo(AnnotationError):
    code = "nothing_to_undo"


class RunGone(AnnotationError):
    """A probe run whose dialogue was taken out meanwhile, or that is not there."""

    code = "run_gone"


class AlreadyHere(AnnotationError):
    """A project that is taken in twice."""

    code = "already_here"


class TableStale(AnnotationError):
    """A row of a file would change an item that was changed since the file was written, or the row names no version; params: `row`."""

    code = "table_stale"


class TableFull(AnnotationError):
    """params: `limit`, items."""

    code = "table_full"
