"""What changes in a player's life, in Chinese: a new job, a birthday, a wedding, a diet. Tried before the other rules of the same key. What only ends stands in
`chinese_endings`."""

from __future__ import annotations

from memory.extraction.chinese_rules import Rule, rule

_WHEN = r"(?:终于|刚|已经|正式|就|也|又|都|开始|这[周次个月年]+)*"
_DONE = rf"{_WHEN}(?:从[^，。]{{1,8}}(?:起|开始)?{_WHEN})?"
"""No part of it can be read in two ways, and what may be anything stands there once: else reading 从从从从 takes twice as long with each sign."""

CHANGES: tuple[Rule, ...] = (
    # work
    rule(
        "has become",
        "occupation",
        _DONE
        + r"(?:(?:转行|改行)(?:去)?(?:当|做|成)|改当|改做|开始(?:当|做)|成为|成了|当)了?(?:一[名个位]|个|名|位)?(?P<x>[\u4e00-\u9fff]{0,4}?{job})(?:了|啦)?$",
    ),
    rule(
        "has risen to",
        "occupation",
        _DONE + r"(?:当上|做上|升为|升任|升到|升职(?:当|做|为|成)|升(?:成|上)|晋升(?:为|成)|(?:被)?提拔(?:为|成))了?(?:一[名个位]|个|名)?"
        r"(?P<x>(?![爸妈父母爷奶外姥叔姑姨舅哥姐妹弟]|好?朋友)[\u4e00-\u9fff]{2,8}?)(?:了|啦)?$",
    ),
    rule("has turned to", "occupation", _DONE + r"(?:转行|改行)(?:去)?(?P<x>[开教卖做修养种搞][^，。了]{1,8})(?:了|啦)?$"),
    rule("has no work", "occupation", _DONE + r"(?P<x>退休|失业)(?:了|啦)$"),
    rule(
        "has moved on to",
        "workplace",
        _DONE + r"(?:跳槽|调动|调|转岗|入职)(?:到|去|进)?了?(?P<x>[^，。了]{2,12}?)(?:工作|上班)?(?:了|啦)?$",
    ),
    # relations
    rule(
        "has left",
        "partner",
        r"^我?[^，。想要将会说梦差没]{0,8}?(?:和|跟|与)[^，。]{1,8}?(?P<x>离婚)(?:了|啦)$",
        whole=True,
        own=True,
    ),
    rule(
        "has joined",
        "partner",
        r"^我?[^，。想要将会说梦差没]{0,8}?(?P<x>(?:和|跟|与)[^，。]{1,8}?(?:结婚|订婚|复合|领证))(?:了|啦)$",
        whole=True,
        own=True,
    ),
    rule("is in a couple", "partner", _DONE + r"(?P<x>脱单|领证|复合)(?:了|啦)$"),
    # identity
    rule("has turned", "age", r"(?:刚|就|今天|已经)*(?:满|过完|过了)(?P<x>{num}岁)(?:的?生日)?(?:了|啦)?$"),
    rule("turns today", "age", r"(?:就|今天)*(?P<x>{num}岁)(?:的?生日)(?:了|啦)?$", now=True),
    rule("goes by another name", "name", r"(?:把名字)?改(?:名|名字)?(?:叫|为|成)了?{name}(?:了|啦)?$"),
    rule(
        "from now on",
        "nickname",
        r"^(?:以后|今后|往后)(?:你|大家|你们)?(?:就|都)?(?:叫|喊|称呼)我{name}(?:吧|好了|就行|就好)?$",
        whole=True,
    ),
    rule(
        "believes in",
        "faith",
        _DONE + r"(?:改)?(?:信(?:奉|仰)?|皈依)(?:了|起了?)?(?P<x>佛教?|基督教?|天主教?|伊斯兰教|道教|东正教|上帝|耶稣|真主)(?:了|啦|的)?$",
    ),
    rule(
        "has done to the hair",
        "appearance",
        r"(?:把)?(?P<x>头发(?:染|剪|烫|留)(?:成了?|了)?[^，。了]{1,6}|(?:剪|留|烫|染)了?[^，。了]{0,4}(?:短发|长发|卷发|[红金黑白紫蓝棕银灰]发|寸头|光头))(?:了|啦)?$",
    ),
    # study
    rule(
        "has changed the subject",
        "field_of_study",
        _DONE + r"(?:改|转|换)(?:学|读|修|到|去|成)?了?(?P<x>[\u4e00-\u9fff]{1,8}?)(?:专业|系)(?:了|啦)?$",
    ),
    rule("reads another subject", "field_of_study", _DONE + r"(?:改学|改读|改修|转读|转修)了?(?P<x>[\u4e00-\u9fff]{1,6}?)(?:了|啦)?$"),
    rule(
        "has changed the school",
        "school",
        _DONE
        + r"(?:转学|转校|转|考)(?:到|去|进|上)了?(?P<x>[^，。了]{0,10}?(?:大学|学院|中学|小学|高中|初中|一中|[清北]大|北大|清华))(?:了|啦)?$",
    ),
    # home, diet, habits
    rule(
        "has moved in with",
        "household",
        _DONE + r"(?:搬(?:去|回去?|过去|来|到))?(?:和|跟|与)"
        r"(?P<x>[^，。]{1,8}?)(?:一起|同|一块儿?)?住(?:在一起)?(?:了|啦)?$",
        now=True,
    ),
    rule("lives alone", "household", _DONE + r"(?P<x>(?:一个人|独自|自己)(?:一个人)?住|独居)(?:了|啦)?$", now=True),
    rule("eats from now on", "diet", _DONE + r"(?:改)?(?P<x>吃(?:全|纯|长)?素)(?:了|啦)?$"),
    rule("has given up", "habits", _DONE + r"(?P<x>戒(?:烟|酒|糖|咖啡|游戏)|把[烟酒糖]戒)(?:掉)?(?:了|啦)$"),
)
