"""English forms that no stemmer brings to their base: "paid" is found by "pay", "children" by "child".

Left out are forms that are as often another word (left, saw, rose, ground, bit, lay, leaves, lives), and verbs that say nothing by themselves (go, come, take, make).
"""

from __future__ import annotations

from collections.abc import Mapping

_FORMS = """
become became | begin began begun | bend bent | bind bound | bite bitten | bleed bled | blow blew blown | break broke broken | breed bred | bring brought
build built | burn burnt | buy bought | catch caught | choose chose chosen | creep crept | deal dealt | dig dug | draw drew drawn
dream dreamt | drink drank drunk | drive drove driven | eat ate eaten | fall fell fallen | feed fed | feel felt | fight fought | find found | flee fled
fly flew flown | forbid forbade forbidden | forget forgot forgotten | forgive forgave forgiven | freeze froze frozen | give gave given
grow grew grown | hang hung | hear heard | hide hid hidden | hold held | keep kept | kneel knelt | know knew known | lead led | lean leant | leap leapt
learn learnt | lend lent | light lit | lose lost | mean meant | meet met | pay paid | ride rode ridden | ring rang rung | run ran
see seen | seek sought | sell sold | send sent | sew sewn | shake shook shaken | shine shone | shoot shot | shrink shrank shrunk | sing sang sung
sink sank sunk | sit sat | sleep slept | slide slid | speak spoke spoken | speed sped | spell spelt | spend spent | spill spilt | spin spun | spoil spoilt
spring sprang sprung | stand stood | steal stole stolen | stick stuck | sting stung | strike struck | swear swore sworn | sweep swept | swim swam swum
swing swung | teach taught | tear tore torn | tell told | think thought | throw threw thrown | understand understood | wake woke woken
wear wore worn | weave wove woven | weep wept | win won | write wrote written
child children | foot feet | goose geese | half halves | knife knives | loaf loaves | man men | mouse mice | scarf scarves | shelf shelves | thief thieves
tooth teeth | wife wives | wolf wolves | woman women
"""

BASES: Mapping[str, str] = {
    form: base for line in _FORMS.replace("\n", "|").split("|") if line.strip() for base, *forms in [line.split()] for form in forms
}
"""By form its base."""
