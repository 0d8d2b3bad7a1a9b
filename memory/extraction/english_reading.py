"""What of a message is its speaker's own speech, spelt out for the parser, with the way back to every character of the original.

Gestures between asterisks and narration around quoted speech are left out, questions too; chat spellings are written out; a short
answer is completed by the question it answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memory.extraction.english_answers import INTRODUCED, begins_small, statement
from memory.extraction.english_called import CALLED, WHO_ARE_YOU, introduces, is_of_a_kind
from memory.extraction.english_narrator import states
from memory.extraction.english_second_thoughts import standing
from memory.extraction.english_sentences import statements
from memory.extraction.english_speech import speech
from memory.extraction.english_typed import BEING, DEALT_WITH, SEVERAL, TYPED, is_of_oneself

CAP = 4_000
"""Characters read of one message: some ten pages of chat, two seconds of parsing at most."""

_NO_WORD = re.compile(r"\S{200,}")
"""What no word is as long as; the parser takes such a run apart letter by letter, in the square of its length."""
_BREAK = re.compile(
    r"\s+[-–—]+\s+|(?<=\w)-\s+(?=(?:I|we|it|they|he|she|my|our)\b)|,?\s+(?:and\s+|so\s+)?that(?:'s|’s| is) why\s+(?=(?:I|we|my)\b)|"
    r"(?<=\w) btw (?=\w)|—|\s--\s|[;…]|"
    r"\.{3,}|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]+|\n+|,\s+(?=(?:take a look|check (?:it|this|them) out)\b)|(?<!\w)[:;]-?[()DPp](?!\w)"
)
_SPELLINGS = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"(?<=\w)’(?=\w)", "'"),
        (r"[“”]", '"'),
        (r"\*+", ""),
        (r"\s+&\s+", " and "),
        (r"(?<=\w)-(?= (?!and\b|or\b|to\b|vs\b)\w)", " –"),  # a dash, typed in haste; "first- and second-year" is none
        (r"(?<![\w'])(?:'cause|cuz|coz|cos)(?!\w)", "because"),
        (r"\b(\w{2,})in'(?=\s)", "ing"),
        (r"\bgonna\b", "going to"),
        (r"\bwanna\b", "want to"),
        (r"\bgotta\b", "have to"),
        (r"\bkind ?a\b", "rather"),
        (
            r"(?<=\bmy name)(?:'s|’s)(?= )|(?<=\bmy birthday)(?:'s|’s)(?= (?!party|dinner|gift|present|cake))|(?<=\bmy job)(?:'s|’s)(?= )",
            " is",
        ),
        (r",? (?:and |so )?that(?:'s|’s| is) why(?= (?:I|we|my)\b)", " ;"),
        (r", ?(?:kill|shoot|save|help|pray for|bear with) me(?= ?(?:[.!,;]|$|lol|haha|now|please))", ""),
        (r",? so prob(?:ably)? not\b", ""),
        (r", (?:by the way|btw|you know|I guess|of all things|of course)(?=,)", ""),
        (r",? (?:anyway|anyways)(?= ?[.,;!]| ?$)", ""),
        (r",? (?:just )?(?:so )?you (?:know|see)(?= ?(?:[.!;]|$))", ""),
        (r"(?<=\bI)['’]d(?= been\b)", " had"),
        (r"\bim\b", "I'm"),
        (r"\bive\b", "I've"),
        (r"\bdont\b", "don't"),
        (r"\bcant\b", "can't"),
        (r"\bshes\b", "she's"),
        (r"\bhes\b", "he's"),
        (r"\bthats\b", "that's"),
        (r"\btheres\b", "there's"),
        (r"\btheyre\b", "they're"),
        (r"\byoure\b", "you're"),
        (r"\bits(?= (?:an?|the|my|so|too|not|been|just|really|very|all|like|only|getting|raining|snowing)\b)", "it's"),
        *((rf"\b{verb}nt\b", f"{verb}n't") for verb in "is was does has have had are were would could should did".split()),
        (r"(?<!\d )(?-i:\bbc\b)", "because"),
        (r"(?<=[^\W\d] )(?-i:w)(?:/|(?= (?!\d)))", "with"),
        (r"(?<![\w.])(?-i:i)(?=[' ](?!\.))", "I"),
        (r"\b2day\b", "today"),
        (r"\btho\b(?! ?[,.;!]| ?$)", "though"),
        (r" \b(?:tho|though)\b(?= ?(?:[,.;!]|$))", ""),
        *TYPED,
    )
)
_DEALT_WITH = tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in DEALT_WITH)
_LEAD = re.compile(
    r"(?:(?:oh|well|yeah|yes|yep|no|nope|nah|so|and|anyway|ok|okay|hey|wow|thanks|btw|plus)[,!.]? +)*(?:just +(?=been\b))?"
    r"(?P<bare>(?:i'?m )?(?:just )?going to (?!be\b)(?=\w)|been (?=\w+ing\b|to\b)|(?:i )?have to (?=\w)"
    r"|(?:can't|cannot|haven't|hadn't|didn't) (?=\w)|never (?=been\b|had\b|tried\b|seen\b)|(?:really |still |absolutely |totally )?(?:miss|missed|love|loved"
    r"|adore|hate|hated|detest|despise) "
    r"(?!you\b|it\b|that\b|this\b)(?=\w)"
    r"|(?:also |just |finally |recently |even )?(?:used to|(?:went|got|had|met|saw|took|bought|joined|visited|tried|found|spent|decided|moved|adopted|attended"
    r"|signed up|signed(?= (?:with|w|a|the|my)\b)|quit(?= (?:my|the|smoking|drinking)\b)|grew up|ran into|ended up|came across|came back|finished|learned) "
    r"(?!(?:it|me|this|that|these|those|you|a while|some time|so long|forever|ages)\b|to (?:know|say)\b)) ?(?=\w)"
    r"|(?:still |also |just )?feeling (?=(?:so|really|very|way|much|more|pretty|quite|super|extra|a bit|a little|great|good|happy|excited|grateful|blessed|proud)\b)"
    r"|(?:also |still |just )?(?:planning|hoping|trying|working|thinking|looking forward) (?=to\b|on\b|of\b|about\b))",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\W*(?:(?:and|but|so|then|well|oh),? )?(?:[Hh]e|[Ss]he|[Tt]hey|[Mm]y (?!\w+ and I\b)\w+"
    r"|(?!(?:The|It|This|That|There|What|When|Yes|No|Last|Today|Yesterday|Then|So|Just|Finally)\b)[A-Z][a-z]+(?: [A-Z]\w+)?)"
    r" (?:(?:just|finally|already|also) )?(?:[a-z]+ed|left|went|got|had|took|said|ran|came|fell|quit|made|found|lost|met|told|died|sold|bought|broke|won|gave)\b"
)
"""A sentence of somebody else's and of nothing of the speaker's: what goes on without a subject ("Lenny left. Joined the navy") goes on of them as likely as not."""
_DID = re.compile(
    r"(?:also |just |finally |recently |even )?(?!used to\b|missed\b|loved\b)(?:\w+ed|went|got|had|met|saw|took|bought|found|spent|ran|came)\b",
    re.IGNORECASE,
)
_SPEAKING = re.compile(r"\b(?:I|we|We|me|us)\b")
_RULED = re.compile(
    r"(?:(?!\b(?:that|which|who|what|how|where|when|because)\b)[^,.;!?])*"
    r"\b(?:can|could|is|are|was|were|sounds?|seems?|feels?|makes?|brings?|helps?|gives?)\b",
    re.IGNORECASE,
)
"""Behind "working on cars": what is done is what the sentence is about, "Working on cars can be an escape"."""
_PREFACE = re.compile(
    r"(?:(?:oh|well|yeah|yes|so|and|but|hey|wow|anyway|by the way|btw|also|plus|ok|okay)[,!.]? +)*"
    r"(?:guess what[,!.:]*|(?:i )?(?:just |also )?(?:wanted|want|have|had|need) to (?:let you know|tell you|say|share|mention)(?: that)?"
    r"|(?:i )?(?:almost |nearly |totally )?forgot(?: to (?:tell|say|mention)(?: (?:to )?you)?(?: that)?)?[,:!.]*|did i (?:tell|mention)(?: to)?(?: you)?(?: that)?"
    r"|(?:i'?m|i am) (?:so |really |super |very )?(?:excited|happy|glad|pleased|thrilled|proud) to (?:tell you|say|share|announce|report)(?: that)?"
    r"|(?:as|since) you (?:mentioned|asked|said|know|may know)\b[^,.!?]{0,40},|(?:after|before|despite|because of|speaking of) (?:that|this),"
    r"|that being said,|since then,?|thanks for asking[,!]?"
    r"|since (?:we(?: last)?|last we) (?:talked|spoke|chatted|met|caught up)(?: last)?,?"
    r"|(?:fair )?warning[:,]?|heads[ -]?up[:,]?|real talk[:,]?|fun fact[:,]?|for the record[:,]?|(?:the )?(?:truth|thing) is[:,]?|truth be told,?|plan[:,]|correction:"
    r"|not gonna lie,?|long story short,?|(?:now )?hush,"
    r"|(?:that|this)(?:'s| is|’s) why|(?:yup|yep|nope|nah|no),) +(?=(?:I|i|my|My|we|We|our|Our|he|she|they|last|yesterday|on|this)\b)",
    re.IGNORECASE,
)
"""What leads up to a statement and adds nothing to it."""
_EXCLAIMED = re.compile(
    r"(?:(?:omg+|lol+|lmf?ao+|ngl|tbh|(?:a?ha){2,}h?|he(?:he)+|n+o{3,}|a+w{2,}|u+g+h+|o{2,}h+"
    r"|he+y{2,}|hi{2,}|hello{2,}|hey+ sorry(?= i\b)|y+a+y+|wow+|xd|ikr|rip)\b|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F])[\s,!.]*",
    re.IGNORECASE,
)
"""Cries before a statement, which the parser takes for its subject where no comma stands behind them."""
_BARE_YES = re.compile(
    r"\W*(yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|indeed|no|nope|nah|not at all|never)\b"
    r"(?:,? i (?:do|am|have|can|did|don't|'m not|haven't|can't))?\W*",
    re.IGNORECASE,
)


_TITLE = re.compile(r"(?<=[a-z,] )(?:Your|My|Our)(?: (?:[A-Z][\w'’-]*|in|of|the|and|a|to|for|on|at|with))*(?: [A-Z][\w'’-]*)")
"""The name of a book or song that begins as if it were somebody's: told as it stands."""

_NUMBERED = re.compile(r"\s*(?:\d{1,2}[.)]\s+(?=[A-Z])|[(\[/]{0,2}\s*OOC\b[:,]?\s*)")
"""The number of an item in a list; the mark of what is said out of character."""
_OWN_LAST = re.compile(r"(?:^|[.!?] +)I (?:[^.!?]*)[.!?]? *$")
"""A sentence of the speaker's at the end."""
_TAKEN_BACK = re.compile(
    r"\b(?:just|only) (?:kidding|joking)\b(?! around)|\bI(?:['’]m| am| was) (?:kidding|joking)\b(?! around)|\bI(?:['’]m| am| was) lying(?=\s*[.,;!]|$)",
    re.IGNORECASE,
)
"""After which nothing holds that was said before it."""
_AFFIRMATION = re.compile(r"(?:yes|yeah|yep|sure|oh|well|u+m+|u+h+|e+rm?|a+h+|h+m+)[,!.…]+ +(?=\S)", re.IGNORECASE)


_HUMMED = re.compile(r"\W*(?:u+m+|u+h+|e+rm?|a+h+|h+m+|oh+|well)\W*", re.IGNORECASE)
"""Not yet the answer."""


@dataclass
class Reading:
    """Text for the parser and where each of its characters comes from."""

    text: str = ""
    origin: list[int] = field(default_factory=list)
    """Per character its index in the message; -1 where we put it; -2 - index where it stands in the question."""
    breaks: set[int] = field(default_factory=set)
    """Offsets in text where a new sentence begins whatever the parser thinks."""
    answered: int = 0
    """End of the short answer at the beginning that the question completed; 0 if there is none."""
    several: bool = False
    """Whether the question speaks of several, whom "they" may mean."""
    introduced: bool = False
    """Whether that answer is the name of whom the question asked about."""

    def put(self, text: str, origin: int | None = None) -> None:
        """Append text that stands in the message at origin, or is ours."""
        self.text += text
        self.origin.extend(range(origin, origin + len(text)) if origin is not None else [-1] * len(text))

    def source(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch of the message behind text[start:end]; None if nothing of it comes from there."""
        places = [place for place in self.origin[start:end] if place >= 0]
        return (min(places), max(places) + 1) if places else None

    def asked(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch of the question behind text[start:end], None unless all of it stands there."""
        places = [-2 - place for place in self.origin[start:end]]
        return (
            (places[0], places[-1] + 1)
            if places and min(places) >= 0 and places == list(range(places[0], places[0] + len(places)))
            else None
        )

    def completes(self, start: int) -> bool:
        """Whether what stands at start needs the question to be understood."""
        return start < self.answered


def read(text: str, question: str, speaker: str = "", *, heard: str = "", listener: str = "") -> Reading:
    """The speech of a message, and what lasts of what is told of its speaker around it, ready to parse; empty if there is none worth parsing.

    question: what a short answer may be completed by; heard: what was said before, whether or not it is.
    """
    reading = Reading(several=SEVERAL.search(question) is not None)
    text = _NO_WORD.sub(lambda found: " " * len(found.group()), text[:CAP])
    spans = speech(text, speaker)
    told = {start: (end, own, put) for start, end, own, put in states(text, spans, speaker)}
    taken_back = max((found.end() for found in _TAKEN_BACK.finditer(text)), default=0)
    first, named = True, False
    for start, end in sorted([*spans, *((at, lasts[0]) for at, lasts in told.items())]):
        if start in told:
            _put_state(reading, text, start, *told[start])
            continue
        for low, high in standing(text, statements(text, start, end)):
            low = max(low, taken_back)
            if low >= high:
                continue
            piece = text[low:high]
            asked = question if first else WHO_ARE_YOU if named and is_of_a_kind(piece.strip()) else ""
            was_first, named = first, False
            if asked and (answer := _answer(piece, asked, listener)) is not None:
                _complete(reading, answer, text, low, high)
                named = was_first and answer[0][0] == CALLED
            elif skip := introduces(piece, text[:low], heard or question):
                reading.breaks.add(len(reading.text))
                reading.put(CALLED)
                _copy(reading, piece[skip:], low + skip)
                named = True
            elif (state := BEING.match(piece)) and (is_of_oneself(question) if first else _OWN_LAST.search(reading.text)):
                reading.breaks.add(len(reading.text))
                reading.put("I am ")
                _copy(reading, piece[state.start("bare") :], low + state.start("bare"))
                reading.answered = len(reading.text) if first else reading.answered
            else:
                _spell(reading, piece, low)
            first = first and _HUMMED.fullmatch(piece) is not None
            reading.put(" ")
        reading.breaks.add(len(reading.text))
    return reading


def _put_state(reading: Reading, text: str, start: int, end: int, own: int, put: str) -> None:
    """What is told of the speaker in the third person, as said by them."""
    reading.breaks.add(len(reading.text))
    reading.put(put)
    reading.origin[-len(put) :] = [start] * len(put)
    reading.put(text[own:end], own)
    reading.put(". ")
    reading.breaks.add(len(reading.text))


def _spell(reading: Reading, piece: str, base: int) -> None:
    """Append a sentence with chat spellings written out, noting the breaks inside it."""
    number = _NUMBERED.match(piece)
    stripped = number.end() if number else len(piece) - len(piece.lstrip())
    piece, base = piece[stripped:], base + stripped
    while (cry := _EXCLAIMED.match(piece)) and any(c.isalnum() for c in piece[cry.end() :]):
        piece, base = piece[cry.end() :], base + cry.end()
    if preface := _PREFACE.match(piece):
        piece, base = piece[preface.end() :], base + preface.end()
    last = max((b for b in reading.breaks if b < len(reading.text)), default=0)
    reading.breaks.add(len(reading.text))
    lead = _LEAD.match(_plain(piece))
    others = (
        lead is not None
        and _DID.match(lead["bare"]) is not None
        and _OTHERS.match(reading.text[last:]) is not None
        and not _SPEAKING.search(reading.text[last:])
    )
    if lead and not others and not (lead.group("bare").rstrip().lower().endswith("ing") and _RULED.match(piece, lead.end())):
        _bare_subject(reading, piece, base, lead)
        return
    _copy(reading, piece, base)


def _plain(piece: str) -> str:
    return re.sub(r"\bgonna\b", "going to", piece, flags=re.IGNORECASE).replace("gotta", "have to")


def _bare_subject(reading: Reading, piece: str, base: int, lead: re.Match[str]) -> None:
    """ "Gonna bake", "Been to Rome" and "Can't wait for spring" lack the "I am", "I have" and "I" the parser needs."""
    bare = lead.group("bare").lower()
    if not bare.startswith("i"):
        reading.put("I have " if bare.startswith(("been", "never")) else "I am " if re.search(r"ing\b", bare) else "I ")
        skip = lead.start("bare")
        piece, base = piece[skip:], base + skip
    _copy(reading, piece[:1].lower() + piece[1:] if not bare.startswith("i") else piece, base)


def _copy(reading: Reading, piece: str, base: int) -> None:
    edits: list[tuple[int, int, str]] = []
    they = re.search(r"\bthey\b", piece, re.IGNORECASE)
    nobody = they is not None and not reading.several and SEVERAL.search(reading.text + piece[: they.start()]) is None
    for pattern, put in (*_SPELLINGS, *(_DEALT_WITH if nobody else ())):
        for found in pattern.finditer(piece):
            start = found.end(1) if found.groups() else found.start()
            edits.append((start, found.end(), put))
    for found in _TITLE.finditer(piece):
        if piece[: found.start()].count('"') % 2 == 0:
            edits += [(found.start(), found.start(), '"'), (found.end(), found.end(), '"')]
    at, begin = 0, len(reading.text)
    for start, end, put in sorted(edits):
        if start < at:
            continue
        reading.put(piece[at:start], base + at)
        reading.text += put
        reading.origin += [base + min(start + i, end - 1) for i in range(len(put))]
        at = end
    reading.put(piece[at:], base + at)
    places = {
        base + found.end()
        for found in _BREAK.finditer(piece)
        if _opens_clause(piece[found.end() :]) or "\n" in found.group() or "btw" in found.group()
    }
    if places:
        reading.breaks.update(
            at for at in range(begin, len(reading.text)) if reading.origin[at] in places and reading.origin[at - 1] not in places
        )


def _opens_clause(rest: str) -> bool:
    return bool(
        re.match(
            r"\s*(?:(?:and|but|so|then|now) )?(?:I|my|we|our|it|its|he|his|she|her|they|their|this|that|there|you|can't|hope|looking|thanks?"
            r"|take a look|check|(?:so|such|super|really|very|pretty|was|were) \w+|[A-Z]\w+)\b",
            rest,
        )
    )


def _answer(piece: str, question: str, listener: str) -> list[tuple[str, int | None]] | None:
    """The statement a short answer stands for, in pieces: (text, its index in the question or None); the answer itself is put by ""."""
    yes = _BARE_YES.fullmatch(piece)
    return statement(
        question, piece.strip(), affirmed=None if yes is None else not yes.group(1).lower().startswith(("n", "N")), listener=listener
    )


def _complete(reading: Reading, pieces: list[tuple[str, int | None]], text: str, low: int, high: int) -> None:
    reading.breaks.add(len(reading.text))
    reading.introduced = pieces[0][0] == INTRODUCED
    for put, place in pieces:
        if not put:
            answer = text[low:high]
            skip = len(answer) - len(answer.lstrip())
            if affirmation := _AFFIRMATION.match(answer, skip):
                skip = affirmation.end()
            skip += place or 0
            small = begins_small(reading.text, answer[skip:])
            _copy(reading, answer[skip].lower() + answer[skip + 1 :] if small else answer[skip:], low + skip)
        elif place is None:
            reading.put(put)
        else:
            reading.put(put)
            reading.origin[-len(put) :] = [-2 - (place + i) for i in range(len(put))]
    reading.answered = len(reading.text)
