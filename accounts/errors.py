"""What can be refused at the door. The pages of `ui.accounts` have a sentence for each code."""

from __future__ import annotations

from errors import KeepsakeError


class AccountError(KeepsakeError):
    code = "account"


class LoginRefused(AccountError):
    """A wrong name, a wrong password or a locked account: never said which."""

    code = "login_refused"


class TooManyAttempts(AccountError):
    """seconds: until the next attempt is looked at."""

    code = "too_many_attempts"


class DoorBusy(AccountError):
    """More people are logging in than passwords can be checked at once."""

    code = "door_busy"


class CodeWrong(AccountError):
    code = "code_wrong"


class AlreadySetUp(AccountError):
    code = "already_set_up"


class NameRefused(AccountError):
    code = "name_refused"


class NameTaken(AccountError):
    code = "name_taken"


class PasswordShort(AccountError):
    code = "password_short"


class PasswordLong(AccountError):
    code = "password_long"


class PasswordPlain(AccountError):
    """One of those that are tried first: the name itself, one letter repeated, a row of the keyboard."""

    code = "password_plain"


class PasswordsDiffer(AccountError):
    code = "passwords_differ"


class PasswordWrong(AccountError):
    """The present password, asked for once more, is not right."""

    code = "password_wrong"


class PasswordSame(AccountError):
    """A new password that is the present one."""

    code = "password_same"


class NameNotRepeated(AccountError):
    """To remove an account its name is written once more."""

    code = "name_not_repeated"


class WhoseNotSaid(AccountError):
    """Whether the conversations from before there were accounts are the first admin's."""

    code = "choose_whose"


class NoSuchAccount(AccountError):
    code = "no_such_account"


class LastAdmin(AccountError):
    """Nobody would be left to make and lock accounts."""

    code = "last_admin"


class NotAllowed(AccountError):
    code = "not_allowed"
