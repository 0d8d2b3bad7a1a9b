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


class NothingToContinue(KeepsakeError):
    code = "nothing_to_continue"


class NameTooLong(KeepsakeError):
    code = "name_too_long"
