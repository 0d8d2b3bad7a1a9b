"""What one lives by in Chinese where no trade is named, where that is, and what is on one's calendar: patterns as data, tried behind the other rules."""

from __future__ import annotations

from memory.extraction.chinese_rules import Rule, rule

LIVINGS: tuple[Rule, ...] = (
    rule("is of a firm", "workplace", r"(?:也|就)?是(?P<x>{firm})的(?:一[名个位])?{job}$", now=True),
    rule(
        "lives by",
        "occupation",
        r"(?:一直|就|都|还|主要)*(?:靠|以)(?P<x>[^，。]{1,12}?)(?:为生|谋生|为业|吃饭|糊口|养家(?:糊口)?|过日子|维生)(?:的)?$",
        now=True,
    ),
    rule(
        "keeps a shop",
        "occupation",
        r"(?:自己|现在|也|还|刚|又)*(?:在[^，。]{1,8}?)?(?P<x>(?:开|经营)(?:了|着)?(?:一|两|三|几)?(?:家|间|个|爿)"
        r"[^，。]{0,10}?(?:店|馆|铺子?|坊|厂|公司|餐厅|饭店|酒吧|诊所|工作室|民宿|书屋|农场|超市|网店|摊))(?:了)?$",
        now=True,
    ),
    rule(
        "drives or sails",
        "occupation",
        r"(?:现在|一直|也|还|就|平时)*(?:在[^，。]{1,8}?)?(?P<x>(?:开|跑)(?:夜班)?(?:渔船|货船|出租车?|公交车?|网约车|货车|大货车?|卡车|地铁|火车|高铁|飞机|滴滴|长途车?|校车|救护车))(?:的)?$",
        now=True,
    ),
    rule(
        "lives at",
        "residence",
        r"(?:就|也|都|独自|一个人|现在)*住(?P<x>城[东西南北]边?|[^在了得着过一不到，。那这您你我]{1,8}?"
        r"(?:区|路|街|巷|村|镇|县|市|城|屯|宿舍|公寓|胡同|弄))$",
        now=True,
    ),
    rule(
        "has on the calendar",
        "plans",
        r"(?:还|也|就|要)*有(?:一)?(?:个|场|次|门|节)?(?P<x>[^，。了过]{0,8}?"
        r"(?:试镜|面试|考试|会议|比赛|演出|讲座|手术|婚礼|彩排|约会|体检|答辩|音乐会|聚会))(?:要.{1,3})?$",
        later=True,
    ),
)
