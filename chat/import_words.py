"""What is said of a file of another program: why it is refused, and what of it was read otherwise or left out. Each has a code, by which the page says it in
the reader's language; commands say it in English as it stands here."""

from __future__ import annotations

SENTENCES = {
    # Why a file is refused
    "bundle": "it is a Keepsake bundle, which holds a whole chat: import it with `python -m chat.portable import`",
    "no_file": "it is not a file, or there is none of that name",
    "unreadable": "it could not be read ({why})",
    "too_large": "larger than {most:,} MiB",
    "not_utf8": "not UTF-8 text (byte {byte})",
    "nul": "it holds a NUL character",
    "unkeepable": "it holds a NUL character or half a surrogate pair",
    "empty": "it is empty",
    "json": "it is not valid JSON ({why})",
    "json_cut": "it breaks off before its end, or it is not valid JSON ({why})",
    "json_deep": "its JSON is nested too deeply",
    "json_digits": "it is not valid JSON (a number of too many digits)",
    "no_conversation": "it holds no conversation",
    "no_message": "it holds no message",
    "two_called": "two conversations are called {name}",
    "twin_fields": "one object has two fields {name}",
    "twin_ids": "the id {name} is used twice",
    "peer_prose": "it tells a story without saying whose turn it is (KoboldAI Lite's chat and instruct modes do)",
    "layout": 'an unknown layout: expected an object with a "conversation", people with a "history" each, one object a line, or lines "Name: text"',
    "one_name": "both speakers have one name",
    "session_shape": "a session is not a list of turns",
    "turn_shape": "a turn is not an object",
    "day_shape": "a day is not a list of pairs",
    "pair_shape": "a pair is not an object",
    "not_object": "it is not an object",
    "not_flag": "{name} is not true or false",
    "not_text": "{name} is not text",
    "not_word": "{name} is not a text",
    "no_text": "it has no text",
    "missing": "it has no {name}",
    "no_date": "it has no date",
    "bad_date": "a bad date {date}",
    "bad_date_why": "a bad date {date} ({why})",
    "bad_date_line": "a bad date ({why})",
    "date_range": "a date out of range",
    "modified_range": "it has no dates, and its modification date is out of range",
    "many_messages": "more than {most:,} messages",
    "many_lines": "more than {most:,} lines",
    "many_wordings": "a message of more than {most:,} wordings",
    "long_message": "a message of more than {most:,} characters",
    "long_speaker": "a speaker's name of more than {most:,} characters",
    "long_name": "{name} is longer than {most:,} characters",
    "name_lines": "{name} runs over more than one line",
    "text_orphan": 'it belongs to no message: expected "Name: text"',
    "text_no_message": 'it is no message: expected "Name: text" (a line that goes on with a message may begin with a space)',
    # What a person should know of
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


class Told(str):
    """One of SENTENCES as it reads in English. code, params: what it was made of."""

    code: str
    params: dict[str, str | int]

    __slots__ = ("code", "params")


def told(code: str, **params: str | int) -> Told:
    sentence = Told(SENTENCES[code].format(**params))
    sentence.code, sentence.params = code, params
    return sentence
