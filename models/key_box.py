"""Keys to models, sealed: what stands in the database cannot be read without the secret beside it.

AES-256 in GCM; each key is bound to the place it is for, so that no other connection can open it. The secret is a file of the data folder that its owner alone
may read, or the environment's. It protects copies of the database (backups, a file that is sent for help); whoever may read the whole folder has both.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from machine import NEW_FILE
from models.errors import KeyUnreadable
from storage.errors import storage_error

FILE = "model-keys.secret"
SECRET_BYTES = 32
NONCE_BYTES = 12
MODE = 0o600
VERSION = "1:"


class KeyBox:
    """folder: where the secret lies, or is made at the first seal; secret: of the environment, in its place (at least 32 characters, see settings)."""

    def __init__(self, folder: Path, secret: SecretStr | None = None) -> None:
        self._path = folder / FILE
        self._given = secret

    def seal(self, key: str, *, bound_to: str) -> str:
        """Raises KeyUnreadable, StorageFull or StorageFailed where the secret cannot be read or written."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(NONCE_BYTES)
        try:
            secret = self._secret(make=True)
        except (OSError, ValueError):
            raise KeyUnreadable(f"The file {FILE} of the data folder cannot be read. Nothing was kept; mend it, or move it away.") from None
        sealed = AESGCM(secret).encrypt(nonce, key.encode(), bound_to.encode())
        return VERSION + base64.urlsafe_b64encode(nonce + sealed).decode("ascii")

    def open(self, sealed: str, *, bound_to: str) -> SecretStr:
        """Raises KeyUnreadable: the secret is another or gone (a restored backup), or the key was not sealed for this place."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        try:
            raw = base64.urlsafe_b64decode(sealed.removeprefix(VERSION).encode("ascii"))
            opened = AESGCM(self._secret(make=False)).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound_to.encode())
            return SecretStr(opened.decode())
        except (InvalidTag, OSError, ValueError, binascii.Error):
            raise KeyUnreadable(
                "The key that is kept for this model cannot be read any more. Enter it again; nothing else is lost."
            ) from None

    def _secret(self, *, make: bool) -> bytes:
        if self._given is not None:
            return _derived(self._given.get_secret_value())
        try:
            found = self._path.read_bytes()
            if len(found) == SECRET_BYTES:
                return found
            raise ValueError("not a secret of ours")
        except FileNotFoundError:
            if not make:
                raise
        made = secrets.token_bytes(SECRET_BYTES)
        try:
            handle = os.open(self._path, NEW_FILE, MODE)
        except FileExistsError:  # another thread was faster
            return self._secret(make=False)
        except OSError as error:
            raise storage_error(error) from error
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(made)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._path.unlink()
            raise storage_error(error) from error
        return made


def _derived(passphrase: str) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(hashes.SHA256(), SECRET_BYTES, salt=None, info=b"keepsake model keys").derive(passphrase.encode())
