"""What is said of a file of another program: why it is refused, and what of it was read otherwise or left out. Each has a code, by which the page says it in
the reader's language; commands say it in English as it stands here."""

from __future__ import annotations

SENTENCES = {
    # Why a file is refused
    "bundle": "it is a Keepsake bundle, which holds a whole chat: import it with `python -m chat.portable import`",
    "no_file": "it is not a file, or there is none of that name",
    "unreadable": "it could not be read ({why})",
    "too_large": "larger than {most:,} MiB",
    "empty": "it is empty",
    "json": "it is not valid JSON (line {line}, column {column})",
    "json_cut": "it breaks off before its end, or it is not valid JSON (line {line}, column {column})",
    "json_deep": "its JSON is nested too deeply",
    "no_conversation": "it holds no conversation",
    "no_message": "it holds no message",
    "peer_prose": "it tells a story without saying whose turn it is (KoboldAI Lite's chat and instruct modes do)",
    "layout": 'an unknown layout: expected an object with a "conversation", people with a "history" each, one object a line, or lines "Name: text"',
    "session_shape": "a session is not a list of turns",
    "turn_shape": "a turn is not an object",
    "day_shape": "a day is not a list of pairs",
    "pair_shape": "a pair is not an object",
    "not_object": "it is not an object",
    "no_text": "it has no text",
    "missing": "it has no {name}",
    "text_orphan": 'it belongs to no message: expected "Name: text"',
    "text_no_message": 'it is no message: expected "Name: text" (a line that goes on with a message may begin with a space)',
    # What a person should know of
    "left_broken": "left out, since they could not be read: {n:,}",
    "left_above": "lines that belong to no message, left out: {n:,}",
    "left_twice": "messages that stood there twice, left out once: {n:,}",
    "left_rest": "everything from here on left out, beyond the limit of {most:,}",
    "left_pictures": "pictures, files and tool calls left out: {n:,}",
    "json_mended": "damaged JSON, read as far as it is sound",
    "guessed_encoding": "not UTF-8, read as {name}",
    "replaced": "characters that cannot be kept, shown as \ufffd: {n:,}",
    "bad_dates": "messages whose date cannot be read, placed by those around them: {n:,}, the first {date}",
    "cut_names": "names cut at {most:,} characters: {n:,}",
    "cut_wordings": "messages with more than {most:,} wordings, the others left out: {n:,}",
    "long_messages": "messages of more than {most:,} characters: {n:,}; kept up to {kept:,}, and memory reads the first {most:,}",
    "other_text": "texts that were something else, written out: {n:,}",
    "other_flags": "{name} is neither true nor false: {n:,}",
    "twin_fields": "objects with two fields of one name ({name}), of which the latter counts: {n:,}",
    "twin_ids": "messages with an id that another has ({name}), which got one of their own: {n:,}",
    "many_names": "other names of the player or of the character: {names}",
    "left_conversations": "conversations without messages left out: {n:,}",
    "left_sessions": "sessions without messages left out: {n:,}",
    "left_captions": "picture captions beside words left out: {n:,}",
    "left_empty": "empty messages left out: {n:,}",
    "left_system": "hidden system lines left out: {n:,}",
    "left_dates": "dates without a message left out: {n:,}",
    "other_fields": "other fields not read ({n:,}): {names}",
    "many_speakers": "more than two speakers ({n:,}): {names}",
    "dated_back": "messages dated before the one above them, order of the file kept: {n:,}",
    "no_dates": "no dates in the file: all messages were given the day it was last changed, {day}",
    "before_first": "messages before the first date, placed just before it: {n:,}",
}


MENDS = frozenset(
    "left_broken left_above left_twice left_rest json_mended guessed_encoding replaced bad_dates cut_names cut_wordings long_messages other_text other_flags"
    " twin_fields twin_ids".split()
)
"""Of SENTENCES those that tell of something that was mended or lost: where a file has to be exact it is refused for them."""


class Told(str):
    """One of SENTENCES as it reads in English. code, params: what it was made of; because: the reason behind it; places: where in the file, the first of them."""

    code: str
    params: dict[str, str | int]
    because: Told | None
    places: tuple[str, ...]

    __slots__ = ("because", "code", "params", "places")

    @property
    def placed(self) -> str:
        """The sentence with its reason and its places."""
        said = f"{self}: {self.because}" if self.because is not None else str(self)
        return f"{said} ({'; '.join(self.places)})" if self.places else said


def told(code: str, *, because: Told | None = None, places: tuple[str, ...] = (), **params: str | int) -> Told:
    sentence = Told(SENTENCES[code].format_map(params))
    sentence.code, sentence.params, sentence.because, sentence.places = code, params, because, places
    return sentence
