"""Clauses of a parsed message: which words make one statement, and whether it is a statement at all."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Span, Token

from memory.extraction.english_words import (
    DEMONSTRATIVE,
    FIRST,
    FIRST_PLURAL,
    HEARSAY,
    HYPOTHETICAL_MARKS,
    MODALS_UNREAL,
    REPORT,
    SECOND,
    UNREAL_VERBS,
    UNTRUE,
)

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "expl")
LONGEST = 25
"""Words of a fact; a longer clause is cut where it can be cut."""


@dataclass(frozen=True)
class Clause:
    """One statement: its words in order and the verb they hang on."""

    tokens: tuple[Token, ...]
    root: Token
    subject: Token | None
    shared: bool = False
    """The subject stands in the clause before and is to be said again."""

    @property
    def words(self) -> int:
        return sum(not t.is_punct and not t.is_space for t in self.tokens)


def subject_of(verb: Token) -> Token | None:
    """The subject a verb has itself; of several, which the parser takes for such by mistake, the nearest before it."""
    found = [child for child in verb.children if child.dep_ in SUBJECTS]
    if not found and verb.tag_ == "VBG":  # "my sister and I went fishing", with "went" for a helping verb
        found = [child for aux in verb.lefts if aux.lower_ in ("go", "goes", "went") for child in aux.lefts if child.dep_ in SUBJECTS]
    before = [child for child in found if child.i < verb.i and child.dep_ != "expl"]
    return before[-1] if before else next(iter(found), None)


def logical_subject(verb: Token) -> Token | None:
    """The subject of a verb, its own or shared: "I came and saw", "I want to see"."""
    seen = 0
    while seen < 8:
        own = subject_of(verb)
        if own is not None:
            return own
        if verb.dep_ not in ("conj", "xcomp") or verb.head.pos_ not in ("VERB", "AUX"):
            return None
        if verb.dep_ == "xcomp" and any(child.dep_ == "dobj" for child in verb.head.children):
            return None
        verb = verb.head
        seen += 1
    return None


def auxiliaries(verb: Token) -> list[Token]:
    """Helping verbs before a verb, in order; those of a helping verb too ("am" of "I am getting married")."""
    found = [child for child in verb.lefts if child.dep_ in ("aux", "auxpass")]
    return sorted({*found, *(aux for child in found for aux in child.lefts if aux.dep_ in ("aux", "auxpass"))}, key=lambda t: t.i)


def is_finite(verb: Token) -> bool:
    helpers = auxiliaries(verb)
    return verb.tag_ in ("VBP", "VBZ", "VBD") or any(t.tag_ in ("VBP", "VBZ", "VBD", "MD") for t in helpers)


def is_negated(verb: Token) -> bool:
    return any(
        child.dep_ == "neg"
        or child.lower_ in ("never", "hardly", "barely", "rarely")
        or (child.lower_ == "longer" and child.i > 0 and child.nbor(-1).lower_ == "no")
        for child in verb.children
    )


def is_preferred(verb: Token) -> bool:
    """ "I'd rather walk": a taste, told as such."""
    return any(child.lower_ == "rather" and child.dep_ == "advmod" for child in verb.lefts) and subject_of(verb) is not None


def falls_short(verb: Token) -> bool:
    """ "I almost bought a boat": it did not come to it."""
    return any(child.lower_ in ("almost", "nearly") and child.dep_ == "advmod" for child in verb.children)


def clauses(sentence: Span) -> list[Clause]:
    """The statements of a sentence, in order; coordinated ones apart where each has what it needs to stand alone."""
    root = sentence.root
    heads = [root]
    for head in heads:
        heads.extend(child for child in head.children if _is_own_statement(child, head) and child not in heads)
        heads.extend(child for noun in head.children for child in noun.children if _runs_on(child, head) and child not in heads)
    if (then := _recalled(root)) is not None:
        heads = [then]  # what comes to mind is what is told
    heads.sort(key=lambda t: t.i)
    taken = {head: _words_of(head, heads) for head in heads}
    merged: list[list[Token]] = []
    found: list[Clause] = []
    for head in heads:
        tokens, subject = taken[head], subject_of(head)
        if found and subject is not None and _is_regret(head, subject):
            continue
        if found and subject is not None and _leans(subject) and found[-1].words + len(tokens) <= LONGEST:
            gap = [t for t in sentence if merged[-1][-1].i < t.i < tokens[0].i]
            merged[-1] = merged[-1] + gap + tokens
            found[-1] = Clause(tuple(merged[-1]), found[-1].root, found[-1].subject, found[-1].shared)
            continue
        merged.append(tokens)
        found.append(Clause(tuple(tokens), head, subject))
    return [part for clause in found for part in _cut(clause)]


def _is_regret(verb: Token, subject: Token) -> bool:
    """ "..., so it's a pity": of what stands before it nothing more is told."""
    return subject.lower_ == "it" and any(
        c.dep_ in ("acomp", "attr") and c.lower_ in ("unfortunate", "pity", "shame") for c in verb.children
    )


def _recalled(root: Token) -> Token | None:
    """Went, in "it reminds me of when I went to Rome", "that reminds me of the time we went to Rome"."""
    if root.lemma_ != "remind" or any(c.dep_ == "nsubj" and c.pos_ != "PRON" for c in root.children):
        return None
    for verb in root.subtree:
        subject = subject_of(verb)
        if verb.tag_ == "VBD" and verb.dep_ in ("pcomp", "advcl", "relcl") and subject is not None and subject.lower_ in ("i", "we"):
            return verb
    return None


def _is_own_statement(verb: Token, head: Token) -> bool:
    subject = subject_of(verb)
    if subject is None or verb.pos_ not in ("VERB", "AUX") or not is_finite(verb):
        return False
    if any(child.dep_ == "mark" for child in verb.children) or subject.tag_ in ("WDT", "WP"):
        return False
    if verb.dep_ == "ccomp" and verb.left_edge.tag_ == "WRB" and verb.left_edge.i < subject.i:
        return False  # "When at last I stood in the hall, I must have …"
    if verb.dep_ in ("conj", "parataxis"):
        return head.pos_ in ("VERB", "AUX") or head.dep_ == "ROOT"
    return verb.dep_ == "ccomp" and verb.i < head.i and head.lemma_ not in REPORT and head.lemma_ not in ("think", "believe", "guess")


def _runs_on(verb: Token, head: Token) -> bool:
    """ "I'm an illustrator I have integrity": not what the noun is, since the speaker is that."""
    noun, subject, own = verb.head, subject_of(verb), subject_of(head)
    if verb.dep_ != "relcl" or noun.dep_ != "attr" or subject is None or own is None or not is_finite(verb):
        return False
    whole = any(c.i > verb.i and c.dep_ in ("dobj", "attr", "acomp", "xcomp", "npadvmod") for c in verb.children)
    one = any(c.lower_ in ("a", "an") for c in noun.children)
    return one and whole and subject.lower_ == own.lower_ == "i" and subject.i == noun.i + 1 and head.lemma_ == "be"


def _leans(subject: Token) -> bool:
    """Whether a subject needs the clause before to be understood."""
    bare = [c for c in subject.head.children if c.dep_ == "dobj" and c.tag_ == "CD" and not any(True for _ in c.children)]
    if bare and subject.head.lemma_ in ("have", "own", "keep"):
        return True  # "I don't have a dog, I have two"
    return (subject.tag_ == "PRP" and subject.lower_ not in FIRST | FIRST_PLURAL | SECOND) or subject.lower_ in DEMONSTRATIVE


def _words_of(head: Token, heads: list[Token]) -> list[Token]:
    others = {t for other in heads if other != head and head.is_ancestor(other) for t in other.subtree}
    tokens = sorted((t for t in head.subtree if t not in others), key=lambda t: t.i)
    # a comma or conjunction that introduced a clause taken out belongs to neither
    while tokens and (tokens[-1].is_punct or tokens[-1].dep_ == "cc" or tokens[-1].is_space):
        tokens.pop()
    while tokens and ((tokens[0].is_punct and tokens[0].text not in "\"'“") or tokens[0].is_space):
        tokens.pop(0)
    # what is not contiguous is the far side of a clause in the middle: keep the side with the verb
    runs: list[list[Token]] = []
    for token in tokens:
        if runs and token.i - runs[-1][-1].i <= 2:
            runs[-1].append(token)
        else:
            runs.append([token])
    return next((run for run in runs if head in run), tokens)


def _cut(clause: Clause) -> list[Clause]:
    """Parts of at most LONGEST words: coordinated verbs become statements of their own, then trailing additions fall away."""
    if clause.words <= LONGEST:
        return [clause]
    for part in clause.root.children:
        if part.dep_ != "conj" or part.pos_ not in ("VERB", "AUX") or subject_of(part) is not None or part not in clause.tokens:
            continue
        if part.tag_ not in ("VBD", "VBP", "VBZ") or clause.subject is None or any(t.lower_ == "me" for t in part.subtree):
            continue  # "..., and made me think" says it of what was read, not of who reads
        inside = set(part.subtree)
        first = tuple(t for t in clause.tokens if t.i < min(x.i for x in inside))
        second = tuple(t for t in clause.tokens if t in inside)
        return _cut(Clause(first, clause.root, clause.subject, clause.shared)) + _cut(Clause(second, part, clause.subject, shared=True))
    return [_shortened(clause)]


def _shortened(clause: Clause) -> Clause:
    """Without what trails behind it, cut where a phrase ends: what a word needs behind it goes with it or stays."""
    for verb in sorted((t for t in clause.tokens if _is_removable(t, clause.root)), key=lambda t: -t.left_edge.i):
        if clause.words <= LONGEST:
            break
        edge = verb.left_edge.i
        if verb.right_edge.i >= clause.tokens[-1].i and edge > clause.root.i:
            kept = [t for t in clause.tokens if t.i < edge]
            clause = Clause(tuple(kept), clause.root, clause.subject, clause.shared)
    return clause


def _is_removable(part: Token, root: Token) -> bool:
    if part == root or part.i <= root.i or part.dep_ not in ("advcl", "relcl", "conj", "parataxis", "acl", "prep"):
        return False
    if part.dep_ == "prep":
        return bool(part.head != root and part.lower_ not in _BINDING)  # "the sense of freedom", "listen to music"
    if part.dep_ == "acl":
        return bool(part.tag_ != "VB")  # "a way to rest"
    if part.dep_ == "relcl":
        return not any(c.lower_ in ("those", "people", "what") for c in (part.head, *part.head.children))
    return part.dep_ != "conj" or not any(c.dep_ == "preconj" for c in part.head.children)


_BINDING = frozenset("of to than between".split())


def is_asserted(verb: Token) -> bool:
    """Whether its speaker says that it is so: not asked, supposed, wished, reported or put in quotation marks.

    "I'd like", "I'd love" and "I'd rather" are asserted: the wish itself is what is told.
    """
    if verb.sent[0].lower_ in UNREAL_VERBS and verb.i > verb.sent.start:
        return False  # "Imagine I lived on the moon"
    node = verb
    while True:
        if any(child.dep_ == "mark" and child.lower_ in HYPOTHETICAL_MARKS for child in node.children):
            return False
        if any(child.dep_ in ("advmod", "mark") and child.lower_ in ("if", "unless") for child in node.children):
            return False
        unreal = any(t.lower_ in MODALS_UNREAL and t.tag_ == "MD" for t in auxiliaries(node))
        if unreal and node.lemma_ not in ("like", "love", "recommend", "suggest") and not (is_preferred(node) or _was_so(node)):
            return False
        if node.dep_ == "ROOT" or node.head == node:
            return not _supposes(node)
        if (
            any(c.lower_ in ("when", "once", "until", "till") for c in node.children)
            and node.tag_ in ("VBP", "VB")
            and node.dep_ != "relcl"
        ):
            return False  # "when I have kids": not yet
        head = node.head
        if _is_hearsay(node, head):
            return False
        if node.dep_ == "conj" and subject_of(node) is not None and any(c.lower_ == "or" and c.i < node.i for c in head.children):
            return False  # "no flour, or I'm on the floor for days"
        if node.dep_ == "ccomp" and _is_own_statement(node, head):
            return not _distances(head, node) and not _supposes(node)  # it only stands before another: "I play the harp, you would love it"
        if node.dep_ == "ccomp" and is_negated(head) and not is_factive(head):
            return False
        if node.dep_ in ("ccomp", "xcomp", "advcl") and _distances(head, node):
            return False
        node = head


def _is_hearsay(clause: Token, noun: Token) -> bool:
    """ "The rumour that I'm ill", and "the story that I live in Rome is false"; not "the story that I wrote is long"."""
    if clause.dep_ not in ("relcl", "acl", "ccomp") or noun.pos_ != "NOUN" or not any(c.lower_ == "that" for c in clause.children):
        return False
    said_of = {c.lemma_.lower() for c in noun.head.children if c.dep_ in ("acomp", "attr")} if noun.dep_ == "nsubj" else set()
    return noun.lemma_ in HEARSAY or bool(said_of & UNTRUE) or (is_negated(noun.head) and "true" in said_of)


def _distances(head: Token, clause: Token) -> bool:
    if head.lemma_ in UNREAL_VERBS - {"hope", "dream"}:
        return True
    if clause.dep_ != "ccomp":
        return False
    speaker = subject_of(head)
    if is_factive(head):
        return False
    return head.lemma_ in REPORT or (
        head.lemma_ in ("think", "believe", "know", "feel") and (speaker is None or speaker.lower_ not in FIRST)
    )


def is_factive(verb: Token) -> bool:
    """ "Nobody knows that I write", "my boss hasn't noticed that I left": what others know or miss is so."""
    subject = subject_of(verb)
    return verb.lemma_ in ("know", "realize", "realise", "notice") and subject is not None and subject.lower_ not in FIRST | SECOND


def _supposes(root: Token) -> bool:
    """ "If I were you, ..." or "Were I rich, ...": a condition anywhere in the sentence makes it one."""
    return any(
        child.dep_ == "advcl"
        and any(grand.lower_ in ("if", "unless") and not _even(grand) for grand in child.children if grand.dep_ in ("mark", "advmod"))
        for child in root.children
    )


def _even(mark: Token) -> bool:
    """ "Even if" supposes nothing of what it stands beside."""
    return bool(mark.i > 0 and mark.nbor(-1).lower_ == "even")


def _was_so(verb: Token) -> bool:
    """ "I would hide in the pantry as a child", "I could never leave her": a modal that tells of what was, or what one is not able to do."""
    modals = {t.lower_ for t in auxiliaries(verb) if t.tag_ == "MD"}
    if "would" in modals:
        then = any(
            c.dep_ == "advcl" and any(g.lower_ in ("when", "while", "whenever") for g in c.children) and _is_past(c) for c in verb.children
        )
        return then or any(t.lower_ in _YOUNG and t.head.lower_ == "as" and t.head.head == verb for t in verb.subtree)
    subject = subject_of(verb)
    return (
        "could" in modals
        and subject is not None
        and subject.lower_ == "i"
        and is_negated(verb)
        and verb.lemma_ not in ("agree", "wait", "imagine", "believe", "help", "be", "ask", "care", "tell")
        and not any(t.tag_ in ("JJR", "RBR") or t.lower_ in ("have", "without") for t in verb.subtree)
    )


def _is_past(verb: Token) -> bool:
    return verb.tag_ == "VBD" or any(t.tag_ == "VBD" for t in auxiliaries(verb))


_YOUNG = frozenset("child kid boy girl teenager student".split())


def is_quoted(token: Token) -> bool:
    """Whether it stands between quotation marks, as noted when the message was parsed."""
    return token.i in token.doc.user_data["quoted"]
