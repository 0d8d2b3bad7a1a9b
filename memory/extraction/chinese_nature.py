"""Which Chinese predicates say what the player is like and lives by: nature, stars, faith, diet, household, worries."""

from __future__ import annotations

from memory.extraction.chinese_rules import Rule, rule

_KIN = "(?:爸妈|父母|爸爸|妈妈|外公|外婆|爷爷|奶奶|姥姥|姥爷|哥哥|弟弟|姐姐|妹妹|老公|老婆|丈夫|妻子|男友|女友|男朋友|女朋友|室友|朋友|同事|儿子|女儿|孩子|家人|猫|狗)"

NATURE: tuple[Rule, ...] = (
    rule(
        "star sign",
        "zodiac",
        r"(?:的?星座)?(?:也|就)?是(?:个|一个|典型的)*(?P<x>(?:白羊|牡羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|人马|摩羯|水瓶|双鱼)座)(?:的)?$",
    ),
    rule("animal sign", "zodiac", r"(?:也|就|是)*(?P<x>属[鼠牛虎兔龙蛇马羊猴鸡狗猪])的?$"),
    rule(
        "temper",
        "traits",
        r"的?(?:性格|性子|脾气)(?:比较|一直|从小|其实|很|有点儿?|挺|偏|就?是|也)*(?P<x>内向|外向|慢热|急躁|急|开朗|固执|倔强|倔|火爆|孤僻|直爽|随和|腼腆|温和|要强)的?$",
    ),
    rule(
        "is a person who",
        "traits",
        r"(?:也|就|一直|其实|从小)*是(?:一?个)?(?:比较|很|非常|特别|有点儿?|挺)*(?P<x>内向|外向|慢热|急性子|慢性子|完美主义者?|乐天派|工作狂|路痴|夜猫子|宅男|宅女|乐观|悲观|固执|念旧|要强|感性|理性)(?:的?人|的)?$",
    ),
    rule(
        "has a faith",
        "faith",
        r"(?:也|一直|从小|全家|都)*(?:信|信仰|信奉|皈依了?)(?P<x>佛教|佛|基督教|基督|天主教|伊斯兰教|道教|东正教)的?$",
    ),
    rule("is a believer", "faith", r"(?:也|就)?是(?:一?[个名位])?(?:虔诚的)?(?P<x>佛教徒|基督徒|天主教徒|穆斯林|道教徒|无神论者)$"),
    rule("keeps a diet", "diet", r"(?:也|一直|已经|常年|就|是|都)*(?P<x>吃素|吃全素|素食主义者|素食者|纯素食主义者)(?:的|了)?$", now=True),
    rule(
        "lives with",
        "household",
        rf"^我(?:现在|目前|还|也|都|一直)*(?:和|跟|与)(?:我的?)?(?P<x>{_KIN}(?:、|和{_KIN})?)(?:们)?(?:一起|一块儿?|合)(?:住|租)(?:的|着)?$",
        now=True,
        whole=True,
    ),
    rule("lives alone", "household", r"(?:现在|目前|还|也|都|一直|是)*(?P<x>独居|一个人住)(?:的|着)?$", now=True),
    rule(
        "worries",
        "worries",
        r"(?:也|很|一直|总|有点儿?|特别|最|真)*(?:担心|发愁|操心)(?:的是|着)?(?P<x>[^，。了吗吧你您]{2,12})$",
        now=True,
    ),
)
"""In the order they are tried, after `chinese_rules.RULES`."""
