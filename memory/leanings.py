"""Words from which it can be concluded what kind of thing a person leans to: tables for `memory.derived`, English and Chinese.

Only words that say the kind by themselves stand here: "curry" may be mild and "hiking" may be by the sea, so neither does. What a word means in company
(crab cake, fantasy football, 酸奶) is taken out by what may not stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping

FLAVOUR: Mapping[str, tuple[str, str]] = {
    "sweet": (
        r"(?<!dark )(?<!bitter )chocolates?|(?<!crab )(?<!fish )(?<!rice )(?<!potato )cakes?|cupcakes?|cheesecakes?|cookies?|ice[- ]cream|"
        r"cand(?:y|ies)|honey(?! (?:mustard|garlic|ham|ribs|chicken|roast))|caramel|fudge|toffee|marshmallows?|dough?nuts?|donuts?|brownies?|macarons?|"
        r"tiramisu|marzipan|maple syrup|desserts?|milkshakes?|bubble tea|sweets|sweet things",
        r"蛋糕|(?<!黑)巧克力|冰淇淋|冰激凌|雪糕|糖果|棒棒糖|棉花糖|奶糖|甜点|甜品|甜食|奶茶|蜂蜜(?!芥)|布丁|马卡龙|甜甜圈|提拉米苏|糖葫芦|甜的",
    ),
    "spicy": (
        r"chill?i(?:e?s)?|spicy|vindaloo|kimchi|jalape[nñ]os?|hot sauce|sriracha|wasabi|mapo tofu|buffalo wings|tom yum",
        r"(?<!酸)(?<!不)(?<!甜)辣(?!酱油)|麻婆豆腐|水煮鱼|毛血旺|剁椒|川菜|湘菜",
    ),
    "sour": (
        r"lemons?|limes?|pickles?|pickled|vinegar|sauerkraut|rhubarb|sour(?! cream)",
        r"酸梅|酸菜|柠檬|话梅|山楂|酸的",
    ),
    "salty": (
        r"olives|anchov(?:y|ies)|bacon|potato chips|crisps|pretzels|salted|salty|feta",
        r"薯片|咸鱼|咸菜|咸蛋|腊肉|培根|咸的",
    ),
    "bitter": (
        r"black coffee|espressos?|dark chocolate|bitter melons?|bitter chocolate|grapefruits?|negronis?|campari",
        r"苦瓜|黑咖啡|黑巧克力|浓缩咖啡|苦的",
    ),
}
GENRE: Mapping[str, tuple[str, str]] = {
    "mystery": (
        r"detective (?:novels?|stor(?:y|ies)|films?|shows?|fiction|series)|(?:murder )?myster(?:y|ies)(?! box)|whodunn?its?|crime (?:novels?|fiction|"
        r"dramas?|series|stor(?:y|ies)|shows?|thrillers?)|sherlock holmes|agatha christie|poirot|miss marple",
        r"推理小说|推理剧|推理电影|侦探小说|侦探剧|侦探片|悬疑|福尔摩斯|阿加莎|东野圭吾",
    ),
    "science_fiction": (
        r"science[- ]fiction|sci[- ]?fi|star trek|star wars|asimov|blade runner|neuromancer",
        r"科幻|《?三体》?|刘慈欣|星际穿越|流浪地球|阿西莫夫",
    ),
    "fantasy": (
        r"fantasy(?! (?:football|league|baseball))|lord of the rings|the hobbit|tolkien|harry potter|game of thrones|earthsea|narnia|discworld|pratchett",
        r"奇幻|玄幻|魔戒|指环王|哈利·?波特|霍比特人|纳尼亚",
    ),
    "horror": (r"horror|stephen king|lovecraft|slasher films?", r"恐怖片|恐怖电影|恐怖小说|惊悚"),
    "romance": (
        r"romance(?: novels?| films?)?|romantic (?:comed(?:y|ies)|novels?|films?)|rom[- ]?coms?|jane austen|pride and prejudice",
        r"言情|爱情片|爱情电影|爱情小说|浪漫喜剧",
    ),
    "history": (r"historical (?:novels?|fiction|dramas?|films?)|history books?|history podcasts?", r"历史小说|历史剧|历史书|历史片"),
    "wuxia": (r"wuxia", r"武侠|金庸|古龙"),
}
MUSIC: Mapping[str, tuple[str, str]] = {
    "jazz": (r"jazz|bebop|miles davis|coltrane", r"爵士"),
    "classical": (
        r"classical music|classical$|symphon(?:y|ies)|string quartets?|mozart|bach|beethoven|chopin|schubert",
        r"古典音乐|古典乐|交响乐|莫扎特|巴赫|贝多芬|肖邦|舒伯特",
    ),
    "rock": (r"rock music|rock bands?|punk|heavy metal|grunge|led zeppelin", r"摇滚|朋克|重金属"),
    "folk": (r"folk (?:music|songs?|bands?)|sea shanties|bluegrass", r"民谣|民歌"),
    "electronic": (r"techno|electronic music|house music|drum and bass", r"电子乐|电子音乐|电音"),
    "hip_hop": (r"hip[- ]hop|rap(?: music)?", r"说唱|嘻哈"),
}
PLACE: Mapping[str, tuple[str, str]] = {
    "sea": (
        r"(?<!-)sea(?! (?:urchins?|bass|salt|glass))|seaside|beach(?:es)?|coast|ocean|harbou?rs?|islands?(?! iced)|seashore|lighthouses?|surfing|sailing|"
        r"snorkell?ing",
        r"海边|大海|沙滩|海滩|海岛|海港|冲浪|帆船|看海|灯塔",
    ),
    "mountains": (r"mountains?(?! (?:bik|dew))|alps|summits?|alpine|rock climbing|mountaineering", r"爬山|登山|山里|雪山|高山|攀岩|山顶"),
    "forest": (r"forests?|woods|woodlands?", r"森林|树林|林间|林子里"),
    "city": (r"museums?|big cities|nightlife|art galleries|city breaks?", r"博物馆|美术馆|大城市|夜市"),
}
PASTIME: Mapping[str, tuple[str, str]] = {
    "handicraft": (
        r"knit(?:ting)?|sew(?:ing)?|pottery|woodwork(?:ing)?|wood carving|carving|embroider(?:y|ing)|crochet(?:ing)?|origami|quilting|weaving",
        r"织毛衣|编织|钩针|缝纫|刺绣|陶艺|木工|木雕|折纸|剪纸|做手工",
    ),
    "music_making": (
        r"play(?:ing)? the (?:guitar|piano|violin|cello|flute|drums|trumpet|accordion|fiddle)|singing in a choir|choir singing",
        r"弹钢琴|弹吉他|拉小提琴|拉大提琴|吹笛子|打鼓|拉二胡|弹古筝|唱歌",
    ),
    "sport": (
        r"running(?! (?:an?|the|my|our|late|out|away|errands|water))|jogging|swimming|tennis|football|cycling|rowing|badminton|volleyball|basketball|boxing|fencing",
        r"跑步|长跑|游泳|网球|足球|骑行|划船|羽毛球|排球|篮球|拳击|击剑|乒乓球",
    ),
    "gardening": (r"gardening|growing (?:roses|vegetables|tomatoes|herbs|orchids)|planting|pruning", r"园艺|种花|种菜|养花|种树"),
    "games": (
        r"chess|board games?|video games?|crosswords?|card games?|jigsaws?|jigsaw puzzles",
        r"下棋|围棋|象棋|桌游|打游戏|玩游戏|拼图|打牌",
    ),
    "reading": (r"reading(?! (?:glasses|maps|minds|the room))", r"看书|读书|阅读|看小说|读诗"),
}
MOOD: Mapping[str, tuple[str, str]] = {
    "low": (
        r"tired|exhausted|sad|lonely|anxious|nervous|stressed|overwhelmed|depressed|upset|worried|frustrated|miserable|homesick|heartbroken|drained|gloomy|"
        r"down|low|devastated|disappointed|lost|scared|angry|bored",
        r"难过|伤心|疲惫|疲倦|累|焦虑|紧张|郁闷|烦躁|烦|失落|孤独|孤单|寂寞|沮丧|担心|迷茫|不安|委屈|不开心|不高兴|绝望|痛苦|压抑|低落|失望|无助|害怕|忧郁|难受|生气",
    ),
    "bright": (
        r"happy|cheerful|content|relaxed|calm|grateful|hopeful|excited|thrilled|joyful|relieved|peaceful|ecstatic|optimistic",
        r"(?<!不)开心|(?<!不)高兴|兴奋|满足|幸福|激动|愉快|(?<!不)快乐|轻松|放松|欣慰|平静|舒畅",
    ),
}
