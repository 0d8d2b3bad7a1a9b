"""Texts in an encoding from before Unicode: which it is, as far as the letters tell."""

from __future__ import annotations

import re

from charset_normalizer import from_bytes

_ENCODINGS = ("gb18030", "big5", "shift_jis", "cp1251", "cp1252")
"""In which texts still come that are not in Unicode; the last is taken where nothing tells."""
_ENOUGH = 2**18
"""Bytes that tell."""
_RAW_WORD = re.compile(rb"[^\x00-\x2f]+")
"""Bytes without blanks, line ends and quotes, which are parts of no letter in any of these encodings."""
_OTHER_LETTERS = re.compile(r"[^\W\d_A-Za-z]+")


def encoding_of(raw: bytes) -> str:
    """The encoding that a text has which is not in Unicode. It is asked of the words with other letters than ASCII's alone: the rest tells nothing."""
    words: list[bytes] = []
    left = _ENOUGH
    for word in _RAW_WORD.finditer(raw):
        if not word[0].isascii():
            words.append(word[0][:_ENOUGH])
            left -= len(word[0])
            if left < 0:
                break
    told = b" ".join(words)
    found = from_bytes(told, cp_isolation=list(_ENCODINGS)).best()
    if found is None or found.encoding == "ascii" or _is_western(told.decode(found.encoding, "replace")):
        return _ENCODINGS[-1]
    return found.encoding


def _is_western(text: str) -> bool:
    """Whether other letters than ASCII's stand alone at least as often as together: they are accents then, read well or wrongly, and no words of another script."""
    runs = _OTHER_LETTERS.findall(text)
    return 2 * sum(len(run) == 1 for run in runs) >= len(runs)
