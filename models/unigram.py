"""Text to the pieces of a unigram language model (Kudo 2018, section 3.1): of all ways to cut a text the likeliest, by the Viterbi algorithm.

The library `tokenizers` does the same with a tree of all pieces: .7 s and 280 MB for the quarter of a million here, where a dict takes .1 s and 50 MB;
`sentencepiece` takes .8 s and 80 MB. The pieces of a word depend on nothing but the word, so those of frequent words are kept.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import lru_cache

from models.e5_file import Vocabulary

SPACE = "▁"
"""Stands for a space, at the beginning of each word."""
UNKNOWN = 10.0
"""By so much less likely than the rarest piece is a letter that no piece holds."""
_KEPT = 50_000
_KEPT_CHARS = 24
_MARK = re.compile("<[^<>]+>")
_SPACES = re.compile("  +")


class Unigram:
    """Safe from any thread."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.bos, self.eos = vocabulary.bos, vocabulary.eos
        self._normal = vocabulary.normal
        self._scores = array("f", vocabulary.scores.tolist())
        # A text that spells the mark of an end is text.
        self._ids = {piece: id_ for id_, piece in enumerate(vocabulary.pieces) if not _MARK.fullmatch(piece)}
        self._pieces = vocabulary.pieces
        self._longest = max(map(len, self._ids))
        self._unk = vocabulary.unk
        self._unk_score = min(self._scores) - UNKNOWN
        self._kept = lru_cache(_KEPT)(self._cut)

    def ids(self, text: str) -> list[int]:
        """The pieces of a text, without marks of beginning and end."""
        written = _SPACES.sub(" ", text.translate(self._normal))
        if not written.startswith(" "):
            written = " " + written
        found: list[int] = []
        for word in written.split(" ")[1:]:
            word = SPACE + word
            found += self._kept(word) if len(word) <= _KEPT_CHARS else self._cut(word)
        return found

    def spans(self, text: str) -> list[tuple[int, int, int]]:
        """The pieces of a text as (id, start, end), text[start:end] being what a piece stands for; pieces of blanks alone have none of their own."""
        places: list[int] = []
        letters: list[str] = []
        for place, letter in enumerate(text):
            for written in letter.translate(self._normal):
                if written == " " and (not letters or letters[-1] == " "):
                    continue
                letters.append(written)
                places.append(place)
        found: list[tuple[int, int, int]] = []
        at = 0
        for word in "".join(letters).split(" "):
            spaced = SPACE + word
            for id_, size in self._sized(spaced):
                first, end = max(at, at + size[0] - 1), at + size[1] - 1
                found.append(
                    (id_, places[first], places[end - 1] + 1)
                    if end > first
                    else (id_, *(2 * (places[at] if at < len(places) else len(text),)))
                )
            at += len(word) + 1
        return found

    def _sized(self, word: str) -> Iterator[tuple[int, tuple[int, int]]]:
        at = 0
        for id_ in self._kept(word) if len(word) <= _KEPT_CHARS else self._cut(word):
            end = at + (1 if id_ == self._unk else len(self._pieces[id_]))
            yield id_, (at, end)
            at = end

    def _cut(self, word: str) -> tuple[int, ...]:
        ids, scores, size = self._ids, self._scores, len(word)
        best = [0.0] + [float("-inf")] * size
        last: list[tuple[int, int]] = [(0, 0)] * (size + 1)
        for start in range(size):
            here = best[start]
            for end in range(start + 1, min(start + self._longest, size) + 1):
                piece = ids.get(word[start:end])
                if piece is not None and here + scores[piece] > best[end]:
                    best[end], last[end] = here + scores[piece], (piece, start)
            if here + self._unk_score > best[start + 1]:
                best[start + 1], last[start + 1] = here + self._unk_score, (self._unk, start)
        found: list[int] = []
        at = size
        while at:
            piece, at = last[at]
            found.append(piece)
        return tuple(reversed(found))
