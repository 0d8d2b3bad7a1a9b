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


class ShownOtherwise(AnnotationError):
    """What would be given is not what its player was shown."""

    code = "shown_otherwise"


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


class SettingRefused(AnnotationError):
    """A setting of a probe run that is none; params: `n`, which one, `field`."""

    code = "setting_refused"


class SettingRange(AnnotationError):
    """A number of a setting out of its bounds; params: `n`, `field`, `least`, `most`."""

    code = "setting_range"


class SettingIdle(AnnotationError):
    """A part of a setting that does nothing with its way of forgetting; params: `n`, `field`."""

    code = "setting_idle"


class SettingsAlike(AnnotationError):
    """Two settings of a run are the same; params: `n`, `other`."""

    code = "settings_alike"


class SettingsNamedAlike(AnnotationError):
    """Two settings of a run that differ are called the same, so that their figures could not be told apart; params: `n`, `other`, `name`."""

    code = "settings_named_alike"


class SettingNoReader(AnnotationError):
    """Who reads is chosen where no language model can; params: `n`."""

    code = "setting_no_reader"


class SettingNoInsights(AnnotationError):
    """Insights are switched off where none are drawn; params: `n`."""

    code = "setting_no_insights"


class SettingNoReplies(AnnotationError):
    """What shows in replies alone is changed where none are made; params: `n`."""

    code = "setting_no_replies"


class SettingNoCrossEncoder(AnnotationError):
    """A cross-encoder is left out where none is set; params: `n`."""

    code = "setting_no_cross_encoder"


class TableUnreadable(AnnotationError):
    """A table that is no CSV in UTF-8; params: `row`, 0 for the whole."""

    code = "table_unreadable"


class TableLarge(AnnotationError):
    """params: `limit`, in MB."""

    code = "table_large"


class TableColumns(AnnotationError):
    """A table whose head is not as it should be; params: `columns`, those that it lacks."""

    code = "table_columns"


class TableCells(AnnotationError):
    """A row with more cells than the head has columns; params: `row`."""

    code = "table_cells"


class TableCellMissing(AnnotationError):
    """params: `row`, `column`."""

    code = "table_cell_missing"


class TableCellLong(AnnotationError):
    """params: `row`, `column`, `limit`, characters."""

    code = "table_cell_long"


class TableCellWrong(AnnotationError):
    """params: `row`, `column`."""

    code = "table_cell_wrong"


class TableTwice(AnnotationError):
    """Two rows are of one item; params: `row`, `other`."""

    code = "table_twice"
