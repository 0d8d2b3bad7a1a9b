"""Names of illnesses of the mind: a character guesses at somebody, and is no doctor (ALGORITHMS 3: no clinical claims)."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ILLNESS = re.compile(
    r"\b(?:bipolar|manic|mania|schizo\w+|psycho(?:sis|tic|path\w*)|sociopath\w*|narcissis\w*|borderline personality|autis\w+|asperger\w*|adhd|ocd|ptsd"
    r"|clinical\w*|diagnos\w+|syndromes?|(?:personality|eating|anxiety|mood|mental|stress|attention|panic|compulsive) disorders?|depress(?:ion|ive)"
    r"|dementia|alzheimer\w*|anorexi\w+|bulimi\w+|neuro(?:sis|tic\w*)|paranoi\w+|delusional|codependen\w+|alcoholi\w+|addictions?|suicid\w+"
    r"|mental(?:ly)? (?:ill|illness))\b"
    "|抑郁|忧郁症|焦虑症|躁郁|双相|狂躁|躁狂|强迫症|自闭|孤独症|多动症|精神病|精神分裂|精神障碍|心理障碍|心理疾病|人格障碍|自恋型|创伤后|应激障碍|恐惧症|恐慌症|妄想症"
    "|失智|痴呆|厌食症|暴食症|神经症|神经衰弱|癔症|酗酒|成瘾|自杀|综合征|确诊|诊断",
    re.IGNORECASE,
)


def is_clinical(text: str, *, told: Iterable[str]) -> bool:
    """Whether a text names an illness of the mind of which nothing was told. told: what it rests on."""
    named = {found.casefold() for found in _ILLNESS.findall(text)}
    return bool(named - {found.casefold() for one in told for found in _ILLNESS.findall(one)})
