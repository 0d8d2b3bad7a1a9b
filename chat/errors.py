"""What a person can do wrong or meet in a chat."""

from __future__ import annotations

from errors import KeepsakeError


class MessageEmpty(KeepsakeError):
    code = "message_empty"


class MessageTooLong(KeepsakeError):
    code = "message_too_long"


class ReplyRunning(KeepsakeError):
    code = "reply_running"


class NothingToAnswer(KeepsakeError):
    code = "nothing_to_answer"


class NothingToTell(KeepsakeError):
    """No round is over that is not in a chapter yet."""

    code = "nothing_to_tell"


class DayNotPossible(KeepsakeError):
    """A story's day is none, or too far from what a calendar can count with; params: `first`, `last`, years."""

    code = "day_not_possible"


class NotListening(KeepsakeError):
    """Lines are heard in a conversation that listens alone."""

    code = "not_listening"


class OnlyListens(KeepsakeError):
    """Nobody answers in a conversation that listens."""

    code = "only_listens"


class CannotListen(KeepsakeError):
    """A conversation with several characters does not listen."""

    code = "cannot_listen"


class NobodySpeaks(KeepsakeError):
    """A line says nobody to have said it."""

    code = "nobody_speaks"


class ListenTokenWrong(KeepsakeError):
    """What a program brings lines with opens nothing, or another conversation; the two are not told apart."""

    code = "listen_token_wrong"


class ListenTokensMany(KeepsakeError):
    """As many tokens as a conversation may have; param `limit`."""

    code = "listen_tokens_many"


class ListenTooFast(KeepsakeError):
    """More than is taken in a while; param `seconds` until it may be sent again."""

    code = "listen_too_fast"


class ListenIdTaken(KeepsakeError):
    """A line has the id of one that said something else; params `line`, `field`."""

    code = "listen_id_taken"


class PassingGone(KeepsakeError):
    """A temporary conversation that was left, or that is somebody else's; the two are not told apart."""

    code = "passing_gone"


class PassingTooMany(KeepsakeError):
    """As many temporary conversations as one person may have; param `limit`."""

    code = "passing_too_many"


class NoteTooLong(KeepsakeError):
    """An author's note is longer than is kept; params: `length`, `limit`."""

    code = "note_too_long"


class NothingToContinue(KeepsakeError):
    code = "nothing_to_continue"


class QuestionTooLong(KeepsakeError):
    """A question to the memory; params: `length`, `limit`."""

    code = "question_too_long"


class QuestionGone(KeepsakeError):
    """It was asked too long ago, of another chat, or by somebody else; the three are not told apart."""

    code = "question_gone"


class QuestionsWaiting(KeepsakeError):
    """As many questions to the memory as one person may have on their way."""

    code = "questions_waiting"


class NobodyTranslates(KeepsakeError):
    """No model is chosen that could translate."""

    code = "nobody_translates"


class TranslationTooLong(KeepsakeError):
    """A message is longer than the model can read and write; param `model`."""

    code = "translation_too_long"


class TranslationStopped(KeepsakeError):
    """Nobody waits for it any more."""

    code = "translation_stopped"


class NobodyDrafts(KeepsakeError):
    """No model is chosen that could draft a character's judgments."""

    code = "nobody_drafts"


class TooLongToDraft(KeepsakeError):
    """A character is longer than the model can read; param `model`."""

    code = "too_long_to_draft"


class DraftingStopped(KeepsakeError):
    """Nobody waits for it any more."""

    code = "drafting_stopped"


class NameTooLong(KeepsakeError):
    code = "name_too_long"


class CharactersTooMany(KeepsakeError):
    """As many characters as one person may have; param `limit`."""

    code = "characters_too_many"


class PlayersTooMany(KeepsakeError):
    """As many personas as one player may have; param `limit`."""

    code = "players_too_many"


class PlayerUnnamed(KeepsakeError):
    """Param: `field`."""

    code = "player_unnamed"


class PlayerTextTooLong(KeepsakeError):
    """Params: `field`, `length`, `limit`, in characters."""

    code = "player_text_too_long"


class PlayerPictureUnusable(KeepsakeError):
    """A file that is no picture, one of a kind that is not read, or one that is too large; param `field`."""

    code = "player_picture_unusable"


class LorebooksTooMany(KeepsakeError):
    """As many lorebooks as one person may have; param `limit`."""

    code = "lorebooks_too_many"


class LorebookTooLarge(KeepsakeError):
    """Params: `entries`, `limit` (MiB)."""

    code = "lorebook_too_large"


class LorebookKeyUnknown(KeepsakeError):
    """A key is written as a regular expression and is none that can be run; params: `key`, `why`."""

    code = "lorebook_key_unknown"


class MemoryTextEmpty(KeepsakeError):
    code = "memory_text_empty"


class MemoryTextTooLong(KeepsakeError):
    code = "memory_text_too_long"


class MemoryIsSaid(KeepsakeError):
    """An episode is what was said; what can be changed is the message."""

    code = "memory_is_said"


class MemoryNotPinnable(KeepsakeError):
    code = "memory_not_pinnable"


class TaskNotWaiting(KeepsakeError):
    """The task is being done, was done, or is not of this chat; the three are not told apart."""

    code = "task_not_waiting"


class LearnedRefused(KeepsakeError):
    """A file that is to hold learned weights holds none that fit; param `reason`."""

    code = "learned_refused"


class ExportGone(KeepsakeError):
    """An exported file was fetched already, or waited too long."""

    code = "export_gone"


class ExportsRunning(KeepsakeError):
    """So many of one person's exports are being written that no further one is begun."""

    code = "exports_running"


class ImportRunning(KeepsakeError):
    """One bundle comes in at a time."""

    code = "import_running"


class ImportNames(KeepsakeError):
    """It is not said who is who in a file, or with names that cannot be kept."""

    code = "import_names"


class MemoryBehind(KeepsakeError):
    """So much of what the user imported before waits to be remembered that nothing more is taken in; param `waiting`, in tasks."""

    code = "memory_behind"


class ImportNoRoom(KeepsakeError):
    """The disk has too little room for a bundle that wants to come in; param `free`, in MB."""

    code = "import_no_room"


class NoSuchSample(KeepsakeError):
    """A sample story that this version does not have."""

    code = "no_such_sample"


class ConnectionInUse(KeepsakeError):
    """A connection that serves in a role cannot be removed."""

    code = "connection_in_use"


class PresetsTooMany(KeepsakeError):
    """A user has as many presets as there may be; param `limit`."""

    code = "presets_too_many"


class TrialRunning(KeepsakeError):
    """One model is tried at a time."""

    code = "trial_running"


class MemoryFileRefused(KeepsakeError):
    """A file of memory that is not right; params `kind` (`large`, `json`, `strange`, `version`, `damaged`, `content`), `where` in it, and `reason`."""

    code = "memory_file_refused"


class NothingToCarry(KeepsakeError):
    """Of what was chosen nothing can come along."""

    code = "nothing_to_carry"


class GroupSize(KeepsakeError):
    """A conversation of several was to have too few or too many characters; param `most`."""

    code = "group_size"


class GroupNamesAlike(KeepsakeError):
    """Two characters of one conversation would have one name."""

    code = "group_names_alike"


class NotOfGroup(KeepsakeError):
    """The character named is none of the conversation's."""

    code = "not_of_group"


class NobodyThere(KeepsakeError):
    """The character who was to speak was sent out; param `name`."""

    code = "nobody_there"
