"""Which Chinese predicates give which persona value: patterns as data, tried where a predicate of the player's begins."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.extraction.chinese_slots import SLOTS


@dataclass(frozen=True)
class Rule:
    name: str
    key: str
    pattern: re.Pattern[str]
    """Matched where the predicate begins (subject, adverbs and times before it are passed over); the group x is the value."""
    now: bool = False
    """Holds of the present alone: not of "before", nor of another time."""
    split: bool = False
    """What is named with 、 or 和 is several values."""
    whole: bool = False
    """Matched against the whole clause, whoever its subject is."""
    own: bool = False
    """Needs the speaker named as the subject in the clause itself: 叫做…… after a dish is the dish's name."""
    later: bool = False
    """Needs a day that is still to come in the clause."""


def rule(name: str, key: str, pattern: str, **flags: bool) -> Rule:
    for slot, piece in SLOTS.items():
        pattern = pattern.replace("{" + slot + "}", piece)
    return Rule(name, key, re.compile(pattern), **flags)


def _favourite(key: str, nouns: str) -> tuple[Rule, Rule]:
    """最喜欢的颜色是墨绿, 喜欢的颜色是墨绿."""
    pattern = rf"(?:我|你)?最?(?:喜欢|爱|喜爱|钟爱)(?:看|听|吃|喝|去|读)?的(?:一[个种首本部位支])?(?:{nouns})(?:就?是|叫|：){{m}}{{x}}$"
    return rule(f"{key} named", key, pattern), rule(f"{key} of mine", key, rf"最爱的(?:{nouns})(?:就?是){{m}}{{x}}$")


RULES: tuple[Rule, ...] = (
    # identity
    rule("called", "name", r"(?:的?名字)?(?:就?叫|名叫|叫做|叫作|名唤|唤作)(?!车|外卖|人|醒|停|救护|滴滴|[了着过]){name}$", own=True),
    rule("name is", "name", r"(?:全名|本名|真名|大名|名字)(?:就?是|叫做?){name}$"),
    rule(
        "call me",
        "nickname",
        r"^(?:你|您)?(?:[^，]{0,8}(?:可以|都|就|总|老|爱|喜欢|一般))?(?:直接)?(?:叫|喊|称呼)我(?:做|为)?{name}(?:就行了?|就好了?|就可以了?|也行)?$",
        whole=True,
    ),
    rule(
        "they call me",
        "nickname",
        r"^(?:我们?)?(?:家里人?|家人|大家|(?:朋友|同学|同事|街坊|邻居)们?|熟人)也?[叫喊]我"
        r"(?P<x>[小阿老](?![心声时实])[\u4e00-\u9fff]|(?P<one>[\u4e00-\u9fff])(?P=one)|[\u4e00-\u9fff]{1,2}(?:仔|妞|丫头|宝))$",
        whole=True,
    ),
    rule("nickname is", "nickname", r"(?:小名|外号|昵称|绰号|网名|乳名)(?:就?是|叫做?){name}$"),
    rule("age", "age", r"(?:刚|才|都|已经|也|就|满|是|年龄是)*(?P<x>{num}岁(?:半|多)?)了?(?:的.{0,8})?$", now=True),
    rule(
        "age bare",
        "age",
        r"(?:今年|刚满|都|也|快|已经)*(?P<x>\d{2}|[二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九])了$",
        now=True,
    ),
    rule(
        "age of mine", "age", r"^我(?:今年|现在)?(?P<x>\d{2}|[二三四五六七八九]十[一二三四五六七八九]?|十[六七八九])$", now=True, whole=True
    ),
    rule(
        "age by now",
        "age",
        r"^(?:现在|如今)?我(?:现在|如今)?(?:都|才|已经)+(?P<x>[二三四五六七八九]十[一二三四五六七八九]?)了?$",
        now=True,
        whole=True,
    ),
    rule(
        "age this year",
        "age",
        r"^我?今年(?:都|已经|才|刚|满)*(?P<x>\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)了?$",
        now=True,
        whole=True,
    ),
    rule(
        "gender",
        "gender",
        r"(?:也|就)?是(?:一?个|一名|一位)?(?P<x>女生|男生|女孩子?|男孩子?|女的|男的|女人|男人|女性|男性|妹子)$",
        own=True,
    ),
    rule(
        "birthday",
        "birthday",
        r"的?生日(?:就?是|在)?(?:农历|每年)?(?P<x>(?:\d{2,4}年)?[\d一二三四五六七八九十]{1,3}月[初\d一二三四五六七八九十]{1,3}[日号]?)",
    ),
    rule("born on", "birthday", r"(?:是|出生于|生于)?(?P<x>(?:\d{4}年)?\d{1,2}月\d{1,2}[日号])(?:出生)?的?生?的?$"),
    rule("hometown", "hometown", r"的?(?:老家|家乡|故乡|祖籍)(?:就?是|就?在){x}的?$"),
    rule("comes from", "hometown", r"(?:是)?来自(?:于)?{x}(?:的)?$"),
    rule("native of", "hometown", r"(?:也|就)?是(?:土生土长的|地道的)?(?P<x>(?!一个|一名).{2,5}?)人$"),
    rule("grew up in", "hometown", r"(?:是)?(?:从小)?(?:就)?(?:出生)?在{x}(?:长大|出生|出生长大)的?$"),
    rule(
        "nationality",
        "nationality",
        r"(?:也|就)?是(?P<x>(?:中国|美国|英国|日本|韩国|法国|德国|俄罗斯|意大利|加拿大|澳大利亚|新加坡|马来西亚|泰国|越南|印度|"
        r"西班牙)人|华[人裔]|[\u4e00-\u9fff]{1,4}族)人?$",
    ),
    rule("speaks", "languages", r"{deg}(?:会|能|可以)(?:讲|说)(?:一点|流利的|一些)?(?P<x>[\u4e00-\u9fff、]{1,10}[语话文])$", split=True),
    rule(
        "learns a language",
        "languages",
        r"{deg}(?:在|正在|开始|打算)?(?:学习|自学|学)(?:了|着|过)?(?:.{1,3}年)?(?P<x>[\u4e00-\u9fff]{1,4}(?:语|文))了?$",
        split=True,
    ),
    rule("mother tongue", "languages", r"的?母语是{x}$"),
    # relations
    rule("married", "partner", r"(?:去年|刚)?(?P<x>结婚|离婚|订婚)了?(?:.{1,4}年)?了?$", now=True),
    rule("single", "partner", r"(?:还|也|目前|一直|现在)*(?:是)?(?:个)?(?P<x>单身)(?:狗|的)?$", now=True),
    rule(
        "has a partner", "partner", r"(?:已经)?有(?:了)?(?:个|一个)?(?P<x>男朋友|女朋友|对象|男友|女友|老公|老婆|未婚[夫妻])了?$", now=True
    ),
    rule("has no partner", "partner", r"(?:还|也|目前|一直)*(?P<x>没有?(?:男朋友|女朋友|对象|男友|女友))$", now=True),
    rule(
        "keeps",
        "pets",
        r"(?:也|还|就)?养(?!过)[了着]?(?P<x>(?:[两二三四五六七八九十几\d]+[只条匹头]|一群)?(?:[^，。]{0,12}){beast}(?:叫[\u4e00-\u9fff]{1,4})?)$",
    ),
    rule(
        "keeps one",
        "pets",
        r"(?:也|还|家)?(?:里)?(?:养[了着]?|有了?)(?:一?[只条匹头个])(?P<x>[^，。两三几]{0,12}{beast}(?:叫[\u4e00-\u9fff]{1,4})?)$",
    ),
    rule("keeps several", "pets", r"(?:也|还|家)?(?:里)?有{asp}(?P<x>[两二三四五六七八九十几\d]+[只条匹头][^，。]{0,8}{beast})$"),
    rule(
        "friend",
        "friends",
        r"^(?P<x>[\u4e00-\u9fff]{2,3})是我的?(?:最好的|好|高中|大学|老)?的?(?:朋友|闺蜜|哥们|兄弟|同事|同学|室友)$",
        whole=True,
    ),
    # work
    rule(
        "name",
        "name",
        r"是(?P<x>[赵钱孙李周吴郑王冯陈沈韩杨朱秦许何吕张孔曹严魏陶姜谢邹苏潘葛范彭鲁马方袁柳史唐薛雷贺倪汤罗郝安傅康余顾孟黄萧姚邵汪毛戴宋熊项董梁杜蓝江郭梅林钟徐邱夏蔡田胡万卢莫丁邓洪石崔程陆段侯白叶刘龙黎][\u4e00-\u9fff]{1,2})$",
        own=True,
    ),
    rule("is a", "occupation", r"(?:也|就|本来)*是(?:一[名个位]|个|名|位)?(?:正式的|全职的|兼职的|{firm}的)?(?P<x>{job})$", now=True),
    rule(
        "works as", "occupation", r"(?:是)?(?:在.{1,12}?)?(?:当|做|担任|任)(?:了|着)?(?:一[名个位]|个|名|位)?(?P<x>{job})(?:的)?$", now=True
    ),
    rule("job is", "occupation", r"的?(?:职业|工作)是(?:一[名个位]|个|名|位)?{x}$", now=True),
    rule("does", "occupation", r"(?:是)?(?:在.{1,12}?)?(?:从事|做)(?P<x>[\u4e00-\u9fff]{1,6}?)(?:工作|行业|方面|这行)?的$", now=True),
    rule("engaged in", "occupation", r"从事(?:的是)?(?P<x>[\u4e00-\u9fff]{2,8})$", now=True),
    rule(
        "works at",
        "workplace",
        r"(?:是)?(?:就)?在{m}{x}(?:里|里面)?(?:工作|上班|任职|就职|打工|实习|任教|教书|(?:当|做|担任)(?:了|着)?(?:一[名个位]|个|名|位)?{job})了?(?:的)?$",
        now=True,
    ),
    # study
    rule(
        "studies at",
        "school",
        r"(?:是)?(?:就)?在(?P<x>[^，。]{1,10}?(?:大学|学院|中学|小学|高中|初中|一中|学校|[清北]大|北大|清华))(?:里)?(?:读|上|念|"
        r"学习|就读|读书|上学|求学).{0,8}$",
        now=True,
    ),
    rule("reads at", "school", r"(?:就读)(?:于|在)?(?P<x>[^，。]{2,12})$", now=True),
    rule("graduated", "school", r"(?:是)?(?:毕业于|从)(?P<x>[^，。]{1,10}?(?:大学|学院|中学|高中|北大|清华))(?:毕业)?的?了?$"),
    rule(
        "subject",
        "field_of_study",
        r"(?:的?专业是|主修的?是?|(?:大学)?(?:学|读|念)的(?:专业)?(?:就)?是)(?P<x>[^，。]{1,10}?)(?:专业|系)?的?$",
    ),
    rule("major", "field_of_study", r"(?:是|读|学|念)(?P<x>[\u4e00-\u9fff]{1,8}?)(?:专业|系)(?:的|的学生)?$"),
    rule("can", "skills", r"{deg}(?:会|擅长|精通){deg}(?P<x>{able}(?:[、和跟与还]{able})*)$", split=True),
    rule("good at", "skills", r"{deg}(?:擅长|精通|拿手(?![机电绢帕套表])的?是?|的?特长是|的?强项是){x}$", split=True),
    rule(
        "won",
        "achievements",
        r"(?:还|曾)?(?:得|获得|拿|拿到|赢得|取得|考到?|拿下|捧回)[了过](?P<x>[^，。]{0,12}?(?:奖学金|奖项?|冠军|亚军|季军|"
        r"第[一二三]名?|金牌|银牌|铜牌|证书?|满分|好成绩))(?:了)?$",
    ),
    rule("admitted", "achievements", r"(?P<x>考上(?:了(?![才再就])|(?!了))[^，。]{2,10}|升职)了?$"),
    rule("passed", "achievements", r"(?P<x>通过了[^，。]{1,10}(?:考试|面试|考核|答辩|级|选拔))$"),
    rule("completed", "achievements", r"(?P<x>(?:完成|跑完|写完|出版)了[^，。]{0,8}(?:马拉松|论文|小说|书|毕业设计|专辑))$"),
    # home
    rule("lives in", "residence", r"(?:就|也|都|独自|一个人|现在|是)*(?:居住|定居|住)(?:在|于|到){x}(?:.{1,3}年)?了?(?:的)?$", now=True),
    rule("home is in", "residence", r"(?:家住在?|(?:的|我)?家(?:就)?在){x}$", now=True),
    rule("moved to", "residence", r"(?:刚|才)?(?:搬|搬家)(?:到|去|来)了?{x}(?:住)?了?$"),
    # tastes: the one favourite
    *_favourite("favorite_food", "食物|菜|水果|美食|小吃|零食|甜品|东西"),
    *_favourite("favorite_drink", "饮料|茶|酒|饮品"),
    *_favourite("favorite_color", "颜色"),
    *_favourite("favorite_animal", "动物|小动物"),
    *_favourite("favorite_music", "歌手|歌曲|歌|乐队|音乐|乐器|曲子|音乐类型"),
    *_favourite("favorite_book", "书|作家|作者|小说|诗人"),
    *_favourite("favorite_film", "电影|电视剧|剧|动漫|导演|影片|动画片|综艺"),
    *_favourite("favorite_season", "季节"),
    *_favourite("favorite_sport", "运动|体育运动|球类"),
    *_favourite("favorite_game", "游戏|桌游"),
    *_favourite("favorite_place", "地方|城市|景点|国家|去处"),
    rule("favourite dish", "favorite_food", r"最(?:喜欢|爱)吃(?:的是|的就是)?{x}(?:的|了)?$"),
    rule("favourite drink", "favorite_drink", r"最(?:喜欢|爱)喝(?:的是|的就是)?{x}(?:了)?$"),
    rule("favourite colour", "favorite_color", r"最(?:喜欢|爱)(?P<x>[\u4e00-\u9fff]{1,3}色)$"),
    rule("favourite music", "favorite_music", r"最(?:喜欢|爱)听(?:的是)?{x}(?:的歌)?(?:了)?$"),
    # tastes
    rule(
        "avoids",
        "food_disliked",
        r"{deg}(?:从不|从来不|不|不能|不敢|不太|不怎么|不爱|不喜欢|不太喜欢|不太爱|不大喜欢|讨厌)(?:吃|喝){x}(?:的)?$",
        split=True,
    ),
    rule("eats gladly", "food_liked", r"{deg}(?:喜欢|爱|喜爱|热爱)(?:上)?(?:吃|喝|品尝)(?:的是)?(?P<x>[^，。]{1,40}?)(?:了)?$", split=True),
    rule(
        "eats gladly by now",
        "food_liked",
        r"^(?P<x>[\u4e00-\u9fff]{1,5}?)我(?:也|倒|可|就)*(?:现在|如今|最近|已经|开始|变得)+(?:也|很|挺|特别|都)*(?:喜欢|爱)(?:上)?[吃喝]了?$",
        whole=True,
    ),
    rule("pastime is", "hobbies", r"的?(?:业余)?(?:爱好|兴趣|兴趣爱好)(?:就?是|有|包括)(?P<x>[^，。]{1,40}?)$", split=True),
    rule(
        "dislikes",
        "disliked",
        r"{deg}(?:不喜欢|不太喜欢|不是很喜欢|不怎么喜欢|不爱|不大喜欢|讨厌|厌恶|反感|受不了|最烦|看不惯)(?:的是)?(?!的)(?P<x>[^，。]{1,40}?)(?:了)?$",
        split=True,
    ),
    rule(
        "likes",
        "liked",
        r"{deg}(?:喜欢|喜爱|热爱|爱|钟爱|偏爱|迷上了?|爱上了?|崇拜)(?:的是)?(?!的)(?P<x>[^，。]{1,40}?)(?:了)?$",
        split=True,
    ),
    rule("interested in", "liked", r"对{x}{deg}(?:感兴趣|有兴趣|着迷)$", split=True),
    # belongings
    rule(
        "owns", "belongings", r"(?:还|也|自己)?有(?:了)?(?:一|两|几)?(?:辆|台|把|部|间|套|架|支|块|条|枚|艘|双)(?P<x>[^，。]{0,8}{thing})$"
    ),
    rule("bought", "belongings", r"(?:新|刚)?买了(?:一|两|几)?(?:辆|台|把|部|间|套|架|支|块|条|枚|艘|双|个|本)(?P<x>[^，。]{0,8}{thing})$"),
    # health
    rule(
        "allergic",
        "allergies",
        r"(?:也|还)?对{x}(?:都|也|很|会|有点|有些|严重|特别|非常)*过敏(?:的|了|(?:很多|好多|好几|多|几|[一二三四五六七八九十\d]+)年了?)?$",
        split=True,
    ),
    rule(
        "allergy",
        "allergies",
        r"(?:有|会)?(?P<x>花粉|海鲜|[鱼虾蟹]|虾蟹|螃蟹|贝类|杏仁|核桃|腰果|豆类|大豆|小麦|麸质|桃子?|狗毛|毛发|香菜|磺胺|头孢|阿司匹林|金属|花生|青霉素|尘螨|酒精|芒果|牛奶|乳糖|坚果|猫毛|鸡蛋|紫外线)过敏$",
    ),
    rule(
        "has an illness", "health", r"{deg}(?:得|患|患上|患有|查出|有)(?:了|过)?(?:严重的|轻微的|点|慢性)?{deg}(?P<x>{ill})了?$", now=True
    ),
    rule("is ill", "health", r"(?:刚|又|还|已经|有点儿?|有些|经常|总是|一直)*(?P<x>(?:有点儿?|有些|经常|总是|老是)?{ill})了?$", now=True),
    rule(
        "of the body",
        "health",
        r"(?:有点儿?|有些|一直|从小|自幼|天生|都|也|还)*(?P<x>夜盲|色[盲弱]|鼻炎|低血糖|高血压|血[糖压脂](?:偏)?[高低]|耳背|路痴|脸盲|贫血|哮喘|体弱(?:多病)?|口吃|左撇子|晕[车船机血针]"
        r"|心脏不太?好|胃不太?好|[左右双](?:耳朵?|眼睛?)(?:听|看)不见)(?:症)?了?$",
        now=True,
    ),
    rule(
        "aches",
        "health",
        r"的?(?P<x>(?:头|肚子|胃|腰|腿|脚|手|嗓子|喉咙|牙齿?|膝盖|眼睛|背|肩膀|脖子)(?:有点儿?|有些|很|好|一直|非常)?(?:疼|痛|酸|"
        r"不舒服|发炎))(?:得厉害|了)?$",
        now=True,
    ),
    # habits
    rule(
        "every",
        "habits",
        r"(?:我)?(?:都|一般|通常|习惯|坚持|几乎)*(?P<x>(?:每天(?!的)|每周|每晚|每个?周[一二三四五六日末]|每个月|每年|每个周末|每逢|"
        r"天天|每次[^，。]{2,6})[^，。]{2,16})$",
        whole=True,
    ),
    rule("used to doing", "habits", r"(?:有|养成了){x}的习惯$"),
    rule("is wont", "habits", r"(?:已经)?习惯(?:了)?(?P<x>(?:[早晚睡午喝吃走跑写读听戴在]).{1,10})$"),
    # plans
    rule(
        "intends",
        "plans",
        r"(?:也|还|已经|就|正)*(?:打算|计划|决定|准备)(?:好|着)?(?:要|了)?(?P<x>(?:明天|后天|下周|下个月|明年|周末|今晚|暑假|寒假|"
        r"这周末|下周末)?(?:和|跟|带|去|到|在|报|学|参加|搬|开|买|换|辞|考|回|做|写|请|把|养|尝试|找|养|申请|结婚|看|练|创|打|用|"
        r"给家|办|自驾|坐|骑|出|重新)[^，。]{0,16})$",
        now=False,
    ),
    rule(
        "is going to",
        "plans",
        r"(?:就|也|还)*(?:要|会|将要|将|得)(?P<x>(?:去|到|搬|参加|结婚|飞|回|考|面试|出差|动?手术|见|开|上|跟|和|带)[^，。]{0,16})$",
        later=True,
    ),
    # goals
    rule(
        "wants to be",
        "goals",
        r"(?:一直|从小|也|长大(?:后|以后)?|将来|以后|就|特别|很)*(?:想|希望(?:自己)?(?:将来|以后)?(?:能|能够)?|"
        r"立志)(?:要)?(?P<x>(?:当|成为|做一[名个位])(?:上|一[名个位])?[^，。]{2,12})$",
    ),
    rule(
        "dream is",
        "goals",
        r"(?:的)?(?:最大的?)?(?:梦想|理想|目标|心愿|愿望|人生目标)(?:就?是|一直是)(?:能|能够|要|想)?(?:成为一[名个位])?{x}$",
    ),
    rule(
        "hopes to reach",
        "goals",
        r"(?:一直|也|很)*(?:希望(?:自己)?(?:将来|以后)?(?:能|能够)|想)(?:要)?(?P<x>(?:考上|考进|开一家|写一本|出一本|环游|开一间)[^，。]{1,12})$",
    ),
    # values
    rule("believes", "beliefs", r"(?:一直|始终|还是|也|就|总|都)*(?:坚信|相信|认为|觉得){x}(?:的)?$"),
    rule("fears", "fears", r"{deg}(?:怕|害怕|恐惧|畏惧)(?:的?是|的就是)?(?P<x>[^，。不没会了来]{1,8})(?:了)?$"),
    rule("phobia", "fears", r"(?:有)?(?:轻微的|点|严重的|一点)?(?P<x>(?:恐高|密集恐惧|幽闭恐惧|社恐|社交恐惧)症?)$"),
    # state
    rule(
        "feels",
        "mood",
        r"(?:真的|(?:觉得|感到|感觉)(?:我|自己)?|心里|的?心情|的?情绪|让我|还|就|整个人)*(?P<x>(?:有点儿?|有些|很|非常|特别|好|挺|"
        r"超级|超|十分|比较|真|太|蛮|相当|更)*{mood})(?:了|极了|的|得很)?$",
        now=True,
    ),
    rule(
        "spirits",
        "mood",
        r"的?(?P<x>(?:心情|情绪|压力|状态)(?:很|非常|特别|有点儿?|有些|超级|超|挺|真|太|不太|不|比较|好)*(?:好|差|糟|糟糕|糟透|低落|"
        r"大|不错|复杂|沉重|舒畅|烦躁|美丽|愉快))了?$",
        now=True,
    ),
    rule("is doing", "activity", r"(?:正在|正|都在|在|一直在)(?P<x>{rel}[^，。]{1,12}|找工作|备考|减肥|健身|搬家|加班|开会)$", now=True),
    rule("is busy", "activity", r"(?:正|一直|都|在)*(?P<x>忙(?:着|于)[^，。]{1,12})$", now=True),
    rule(
        "is at",
        "whereabouts",
        r"(?:正|还|就|都|人)?在{m}(?P<x>[\u4e00-\u9fff]{0,6}(?:医院|图书馆|公司|机场|车站|火车站|学校|公园|酒店|咖啡馆|咖啡店|超市|"
        r"海边|宿舍|办公室|火车上|飞机上|地铁上|公交上|路上|商场|餐厅|教室|健身房|酒吧|旅馆|民宿|山上|码头|[国省市县镇村岛]))(?:里|了)?$",
        now=True,
    ),
)
"""In the order they are tried; the first of a key that gives a value is enough."""
