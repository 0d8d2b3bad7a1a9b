"""Whether a message is in a language that is read. In another one the rules would take words for what they are not, so nothing is told of it."""

from __future__ import annotations

import re

_READ = 4_000
_LETTERS = re.compile(r"[^\W\d_]")
_OF_OTHERS = re.compile(
    "[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0590-\u05ff\u0600-\u06ff\u0750-\u077f\u0900-\u0dff\u0e00-\u0eff\u10a0-\u10ff\u1100-\u11ff\u1200-\u137f"
    "\u1780-\u17ff\u3040-\u30ff\uac00-\ud7af]"
)
"""Greek, Cyrillic, Armenian, Hebrew, Arabic, Indic, Thai, Lao, Georgian, Hangul, Ethiopic, Khmer; kana, which Chinese has none of."""
_SHARE = 0.3
"""Of letters: a name or a greeting in another script makes no other language."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENGLISH = frozenset(
    """the a an and or but of to in on at for with from by about i you he she it we they me him her us them my your his its our their this that these those is
    are was were be been being am have has had do does did not no yes so if when what who how why where there here will would can could should may might must
    i'm i've i'll i'd it's that's don't didn't can't isn't you're he's she's we're they're just very really all some any more than then now too also as up out
    go went going got get like love want know think see said made make one two because never always into over after before""".split()
)
_OTHERS = {
    "de": "der die das und ich du er sie wir ihr nicht ist bin bist sind war ein eine einen einem einer mein meine meinen meiner mit auf für von zu im am dem den des"
    " auch aber oder wenn weil dass habe hast hat haben wohne heiße sehr noch nur schon wie was wo wer es mich mir dich dir uns",
    "fr": "le la les un une des du de et je tu il elle nous vous ils elles est suis es sont ai as avons avez ont pas ne que qui dans pour avec sur mon ma mes ton ta"
    " son sa ses mais ou où au aux très j'ai j'aime c'est n'ai d'un d'une l'on ce cette moi toi oui",
    "es": "el la los las un una y yo tú él ella nosotros es soy eres son está estoy tengo tiene no que en de del con por para mi mis tu su sus pero o muy me te se lo"
    " al como más también porque cuando hola sí vivo gusta",
    "it": "il lo la gli le un una e io tu lui lei noi voi è sono sei ho hai ha abbiamo non che di del della in con per mio mia miei tuo suo ma o molto mi ti si anche"
    " perché quando ciao dove vivo nel nella",
    "pt": "o os as um uma e eu tu você ele ela nós é sou são está estou tenho tem não que em no na de do da com por para meu minha teu seu sua mas ou muito me te se"
    " também porque quando moro gosto",
    "nl": "de het een en ik jij hij zij wij jullie is ben bent zijn was heb hebt heeft niet van in op met voor mijn jouw maar of als dat die ook nog heel naar"
    " woon heet graag wat waar je me ze er",
    "sv": "och jag du han hon vi ni är var har inte en ett den det som på med för av min mitt mina din men eller när att också mycket bor heter mig dig",
    "da": "og jeg du han hun vi er var har ikke en et den det som på med for af min mit mine din men eller når at også meget bor hedder mig dig",
    "pl": "i w na z do nie jest jestem są mam ma się że to jak co ja ty on ona my mój moja moje ale lub bardzo mnie mi także gdzie mieszkam",
    "tr": "ve bir bu ben sen o biz siz değil var yok için ile çok ama benim senin da de ne mi mı evet hayır yaşıyorum",
    "id": "dan yang di ke dari saya aku kamu dia kami kita tidak bukan ada ini itu dengan untuk tapi atau sangat juga sudah tinggal punya nama",
    "vi": "và là của tôi bạn anh chị em không có một những này đó với cho nhưng rất cũng ở được sống tên",
    "ro": "și în la cu de pe un o eu tu el ea noi este sunt am ai are nu că mea meu dar sau foarte mai locuiesc îmi",
    "fi": "ja on ei minä sinä hän olen olet että mutta tai hyvin myös minun sinun asun kanssa se",
    "hu": "és a az egy én te ő mi nem van vagyok hogy de vagy nagyon is meg lakom",
    "cs": "a v na s se je jsem jsou mám má že to jak co já ty on ona my můj moje ale nebo velmi mě také bydlím",
    "la": "et in ad cum non est sum sunt ego tu meus mea sed aut quod qui",
}
_FUNCTION = {language: frozenset(said.split()) for language, said in _OTHERS.items()}
_FEWEST = 2


_WITHIN_NAME = re.compile(r"\b([A-ZÀ-Þ][\w'’-]*) (?:(?:de|da|del|della|di|du|van|von|der|den|la|le|el) ){1,2}(?=[A-ZÀ-Þ])")
"""What is small within a name says nothing of the language: Mara de Vries."""


def is_read(text: str) -> bool:
    """Whether a text is in English or Chinese as far as its letters and small words show; where they show nothing, it is."""
    text = text[:_READ]
    letters = len(_LETTERS.findall(text))
    if letters and len(_OF_OTHERS.findall(text)) >= letters * _SHARE:
        return False
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(_WITHIN_NAME.sub(r"\1 ", text))]
    english = sum(word in _ENGLISH for word in words)
    if english * 5 >= len(words) * 2:
        return True  # no other can have half as many again
    other = max(sum(word in function for word in words) for function in _FUNCTION.values())
    return other < _FEWEST or other <= english * 1.5
