"""A conversation of our own in the manner of long chats, for what reading costs: 24 rounds, 48 messages.

As long as LoCoMo's turns are: those of its five development conversations have 23.4 words on average (a tenth up to 10, half up to 21, nine tenths up to 42)
in 2.9 sentences, and 25 % end by asking; these have 23.3 words (12, 25, 32) in 2.4 sentences, and 27 % end by asking.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from evaluation.bench.conversation import Round

SPOKEN: tuple[tuple[str, str], ...] = (
    (
        "Hi! I finally moved into the flat above the chandlery on Saturday. "
        "It smells of rope and tar, but the window looks straight over the harbour.",
        "A window on the harbour is worth a little tar. Did you carry everything up those stairs by yourself?",
    ),
    (
        "My brother Tobias helped. He's a roofer in Leith, so stairs are nothing to him.",
        "Then you had the right man. I once carried a stove over the causeway with two postmen and a mule, and the mule complained least.",
    ),
    (
        "Ha! How did you end up with a mule? I've been wanting to ask about your life out there. Do you ever get lonely when the road is shut?",
        "The mule belonged to my uncle Padraig, who sold peat. Lonely is a strong word. "
        "I have the gander, the bell and the ledger, and people cross twice a day.",
    ),
    (
        "I start at the piano workshop on Monday. They want me to restring an old grand that survived a flood, and honestly I'm nervous about it.",
        "Nervous hands are careful hands. What does a piano say when it has been under water?",
    ),
    (
        "Mostly it rattles. The soundboard swells, then it cracks while it dries. "
        "I learned that from my teacher in Dresden, an old man who tuned by humming.",
        "I like him already.",
    ),
    (
        "He died last winter. I still have his tuning fork, it's the only thing I'd save from a fire. Well, that and the cat.",
        "Noted, fork first and cat second. I would put it the other way round, but it is your fire. What is the cat called?",
    ),
    (
        "Admiral. He's grey, fat, eleven years old and afraid of gulls. "
        "My sister Ida gave him to me when she left for Norway to work on the ferries.",
        "A cat called Admiral who fears gulls, and a sister on the ferries. "
        "Your family is well placed for salt water. My own sister is an Ida too, we have not spoken in years.",
    ),
    (
        "Oh, I'm sorry. Do you want to talk about it, or shall I change the subject?",
        "Change it. Ask me again in spring, when the road is dry.",
    ),
    (
        "Okay! Yesterday I went to the fish market and bought far too many mussels. "
        "I'm allergic to prawns but mussels are fine, strangely enough. I made soup for the whole house.",
        "The whole house? How many of you live above the rope?",
    ),
    (
        "Four. There's Mrs Calloway, who repairs clocks, two students who never sleep, "
        "and me. Mrs Calloway said the soup needed saffron, and she was right.",
        "People who repair clocks are usually right, and they know it. I had a clock once. "
        "The damp took it in its second winter, and I have told the time by the tide ever since.",
    ),
    (
        "I'd love to see your hut one day. I've never walked over a causeway, I grew up in the mountains near Bolzano. Is it dangerous?",
        "It is two miles of stone that the sea covers twice a day. "
        "It is as dangerous as you are late. Come at the beginning of the ebb and bring dry socks.",
    ),
    (
        "I'm hardly ever late. I missed one train in my life, in 2014, and I still dream about it.",
        "Tell me where it was going.",
    ),
    (
        "To Vienna. I had an audition at the conservatory, so that was the end of my career as a pianist. "
        "I took up tuning the same autumn because I wanted to stay near pianos.",
        "So one train made you a tuner. Nine years ago I misread the tide by an hour, and it made me careful. Do you regret it?",
    ),
    (
        "Not any more. I used to, every day, until I heard a girl play on a piano that I'd tuned and nobody in the hall knew my name.",
        "That is the best kind of work. The bell is the same: nobody thanks it, everybody gets home.",
    ),
    (
        "Next month I'm going to sail to Orkney with my friend Malin. "
        "She has a small wooden boat with red sails and she's been restoring it for six years.",
        "Mind the race at the north end. Go through at slack water, "
        "keep the two beacons in line, and do not let the boat's age make you sentimental.",
    ),
    (
        "Malin says the same about beacons! She teaches physics at a school in Aberdeen, "
        "she calculates everything. I'm the one who brings chocolate and sings.",
        "Every crew needs one of each. What do you sing?",
    ),
    (
        "Mostly old ballads that my grandmother taught me. She kept bees and believed they only gave honey if somebody sang to them in the evening.",
        "And did they? I have known stranger arrangements with the sea.",
    ),
    (
        "They gave so much that she sold it in three villages! My favourite was the dark one from the chestnut trees. "
        "I hate the kind you get in supermarkets, it tastes of nothing.",
        "I will enter it in the ledger: chestnut honey yes, supermarket honey no. "
        "My gander eats honey cake, but he is not particular about the trees.",
    ),
    (
        "I think I'm getting a cold. My throat hurts and I slept badly, the students were playing drums until two.",
        "Hot water, onion, a spoon of that honey. And knock on their wall with the tuning fork.",
    ),
    (
        "I'll try it. By the way, I've decided to take the evening class in joinery, it begins on the third of November. "
        "I want to build a bench for the workshop, and later a shelf for all the tools that lie about.",
        "A bench is an honest beginning, it either holds or it does not. What wood will you use?",
    ),
    (
        "Oak, if I can afford it. Tobias knows somebody who takes down barns, "
        "so perhaps I'll get beams that are two hundred years old. Can you imagine what they've heard?",
        "Cows, chiefly. But I take your meaning. The posts of my hut came from a wreck in 1871, "
        "and on some nights I could swear that they still lean towards the water.",
    ),
    (
        "That's a lovely thought and a slightly frightening one. Aren't you afraid in storms?",
        "I was, the first winter. Then I found that fear and attention feel alike from inside, so I gave it something to count.",
    ),
    (
        "I'm going to write that down. My mother, who is a nurse in Merano, "
        "says something similar about night shifts: count the drips and the night gets shorter.",
        "Your mother and I would get on. Does she visit you here by the sea?",
    ),
    (
        "She's coming for Christmas, and she's already knitting a jumper for the cat. "
        "I'd better find a second bed, or I'll be sleeping in the bathtub with Admiral.",
        "Ask Mrs Calloway. People who mend clocks always have a bed to spare, somewhere under the cases.",
    ),
)


def spoken_rounds(*, start: datetime) -> Iterator[Round]:
    """Three minutes apart."""
    for number, (user, reply) in enumerate(SPOKEN):
        yield Round(user, reply, start + timedelta(minutes=3 * number))
