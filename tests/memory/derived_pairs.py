"""Values as people word them, each with the kind it is of ("" for none that can be told), by derived key. Written before the tables were run on them."""

from __future__ import annotations

PAIRS: dict[str, tuple[tuple[str, str], ...]] = {
    "flavour": (
        ("chocolate cake", "sweet"), ("my aunt's honey cookies", "sweet"), ("vanilla ice cream", "sweet"), ("crab cakes", ""), ("rice cakes", ""),
        ("dark chocolate", "bitter"), ("espresso", "bitter"), ("a black coffee at dawn", "bitter"), ("coffee", ""), ("tea", ""),
        ("lemon cake", ""), ("lemons", "sour"), ("pickled herring", "sour"), ("sour cream", ""), ("sourdough bread", ""),
        ("spicy noodles", "spicy"), ("chilli crab", "spicy"), ("kimchi", "spicy"), ("curry", ""), ("chicken soup", ""),
        ("olives", "salty"), ("bacon sandwiches", "salty"), ("salted caramel", ""), ("honey mustard chicken", ""), ("sugar-free cookies", ""),
        ("anything that is not spicy", ""), ("pizza", ""), ("pancakes", ""), ("chocolate chili", ""), ("sweet potatoes", ""),
        ("巧克力蛋糕", "sweet"), ("草莓味的冰淇淋", "sweet"), ("奶茶", "sweet"), ("黑巧克力", "bitter"), ("苦瓜", "bitter"),
        ("麻辣烫", "spicy"), ("辣子鸡", "spicy"), ("酸辣粉", ""), ("不辣的菜", ""), ("甜辣酱", ""),
        ("酸梅汤", "sour"), ("酸奶", ""), ("柠檬蛋糕", ""), ("薯片", "salty"), ("饺子", ""), ("糖醋排骨", ""), ("无糖奶茶", ""), ("鱼", ""),
        ("火锅", ""), ("提拉米苏", "sweet"),
    ),
    "genre": (
        ("detective novels", "mystery"), ("detective work", ""), ("old murder mysteries", "mystery"), ("mystery boxes", ""), ("Agatha Christie", "mystery"),
        ("science fiction", "science_fiction"), ("sci-fi films", "science_fiction"), ("science", ""), ("fiction", ""), ("Star Trek", "science_fiction"),
        ("fantasy novels", "fantasy"), ("fantasy football", ""), ("The Hobbit", "fantasy"), ("horror films", "horror"), ("heights", ""),
        ("romantic comedies", "romance"), ("romantic dinners", ""), ("Pride and Prejudice", "romance"), ("historical novels", "history"), ("history", ""),
        ("reading crime fiction in bed", "mystery"), ("true crime", ""), ("poetry", ""), ("watching films", ""), ("books that are not fantasy", ""),
        ("推理小说", "mystery"), ("东野圭吾的书", "mystery"), ("推理能力强的人", ""), ("科幻电影", "science_fiction"), ("《三体》", "science_fiction"),
        ("科学", ""), ("武侠小说", "wuxia"), ("金庸", "wuxia"), ("恐怖片", "horror"), ("言情小说", "romance"), ("浪漫的人", ""), ("历史剧", "history"),
        ("看电影", ""), ("奇幻小说", "fantasy"), ("哈利波特", "fantasy"),
    ),
    "music_genre": (
        ("jazz", "jazz"), ("late Coltrane", "jazz"), ("Bach's cello suites", "classical"), ("classical music", "classical"), ("classical architecture", ""),
        ("rock climbing", ""), ("punk", "rock"), ("old sea shanties", "folk"), ("folk tales", ""), ("rap", "hip_hop"), ("wrap", ""), ("techno", "electronic"),
        ("technology", ""), ("music", ""), ("jazz and techno", ""), ("爵士乐", "jazz"), ("贝多芬的交响乐", "classical"), ("古典家具", ""), ("摇滚", "rock"),
        ("民谣", "folk"), ("说唱", "hip_hop"), ("唱片", ""), ("音乐", ""), ("周杰伦", ""),
    ),
    "kind_of_place": (
        ("the beach", "sea"), ("walking by the sea", "sea"), ("sea urchins", ""), ("the Isle of Skye", ""), ("small harbours", "sea"), ("sailing", "sea"),
        ("the mountains", "mountains"), ("mountain biking", ""), ("the Alps", "mountains"), ("hiking", ""), ("forests", "forest"), ("the woods", "forest"),
        ("woodwork", ""), ("museums", "city"), ("big cities", "city"), ("cities", ""), ("coastal forests", "forest"), ("deep-sea diving films", ""), ("Lisbon", ""),
        ("beach and mountains", ""), ("海边", "sea"), ("冲浪", "sea"), ("海鲜", ""), ("爬山", "mountains"), ("雪山", "mountains"), ("森林", "forest"),
        ("博物馆", "city"), ("徒步", ""), ("山里的森林", ""), ("成都", ""),
    ),
    "kind_of_pastime": (
        ("knitting socks", "handicraft"), ("pottery", "handicraft"), ("carving spoons", "handicraft"), ("playing the fiddle", "music_making"),
        ("playing with my dog", ""), ("play the piano", "music_making"), ("running by the river", "sport"), ("running a shop", ""), ("tennis", "sport"),
        ("watching tennis", "sport"), ("growing roses", "gardening"), ("growing old", ""), ("chess", "games"), ("cheese", ""), ("reading", "reading"),
        ("reading maps", ""), ("cooking", ""), ("not running", ""), ("织毛衣", "handicraft"), ("陶艺", "handicraft"), ("弹钢琴", "music_making"), ("听音乐", ""),
        ("跑步", "sport"), ("打羽毛球", "sport"), ("种花", "gardening"), ("下棋", "games"), ("看书", "reading"), ("看电影", ""), ("做饭", ""), ("旅行", ""),
    ),
    "mood_lately": (
        ("tired", "low"), ("a bit lonely", "low"), ("not happy", ""), ("happy", "bright"), ("relieved and tired", ""), ("calm", "bright"), ("hungry", ""),
        ("不开心", "low"), ("开心", "bright"), ("不太开心", ""), ("很累", "low"), ("不累", ""), ("轻松", "bright"), ("饿", ""),
    ),
}  # fmt: skip
