"""The sentences of conversations that listen."""

from __future__ import annotations

from ui.entry import Entry

LISTENING: dict[str, Entry] = {
    "listen_new": Entry("Only listen", "只是旁听"),
    "listen_begin_title": Entry("A conversation that listens", "旁听的对话"),
    "listen_means": Entry(
        "Others speak, nobody answers, and the character remembers who said what. You write the lines, import them, or let another program bring them.",
        "别人说话，没有人回答，角色记住谁说了什么。台词可以由你写下、导入，或由别的程序送来。",
    ),
    "listen_who": Entry("Who listens", "谁在听"),
    "listen_player": Entry("Whose portrait is drawn", "画谁的画像"),
    "listen_player_hint": Entry(
        "One of those who will speak; you are them if the conversation is taken up. The portrait and what the character reads into things are of them.",
        "将要说话的人之一；以后接着聊时，你就是这个人。画像和角色的领会都关于这个人。",
    ),
    "listen_begin": Entry("Begin to listen", "开始旁听"),
    "listening": Entry("Listening", "旁听"),
    "listening_means": Entry("{name} listens and remembers. Nobody answers here.", "{name}在听，也在记。这里没有人回答。"),
    "listening_portrait": Entry(
        "Nothing is known of {name} yet. The portrait is drawn from what {name} says; what others say is under Memories.",
        "还不了解{name}。画像只取自{name}自己的话；别人说的话见“记忆”。",
    ),
    "listening_empty": Entry(
        "Nothing was said yet. Choose who speaks and write a line, or let another program bring lines.",
        "还没有人说话。选好是谁在说，写下一句；也可以让别的程序送来台词。",
    ),
    "listen_speakers": Entry("Who says the next line", "下一句是谁说的"),
    "listen_speaker": Entry("{name} speaks (Alt+{n})", "{name}说话（Alt+{n}）"),
    "listen_speaker_plain": Entry("{name} speaks", "{name}说话"),
    "listen_add_speaker": Entry("Another speaker", "换一个人"),
    "listen_add_speaker_text": Entry("Who speaks?", "谁在说话？"),
    "listen_write": Entry("What {name} says…", "{name}说…"),
    "listen_write_nobody": Entry("Choose who speaks…", "先选是谁在说…"),
    "listen_add": Entry("Add", "记下"),
    "listen_hint": Entry(
        "Enter adds the line; nobody answers. Alt+1 to 9 choose who speaks.", "回车记下这句，没有人回答。Alt+1 到 9 选择谁在说。"
    ),
    "listen_take_up": Entry("Talk with {name} from here", "从这里起和{name}聊"),
    "listen_from_here": Entry("Only listen from here", "从这里起只是旁听"),
    "did_take_up": Entry("{name} answers from now on, and remembers what was heard.", "从现在起{name}会回答，也记得听到的一切。"),
    "did_listen": Entry("From now on nobody answers here; what is said is remembered.", "从现在起这里没有人回答；说的话会被记住。"),
    "operation_hear": Entry("what was heard", "听到的话"),
    "operation_listen": Entry("only listening", "只是旁听"),
    "operation_take_up": Entry("talking again", "接着聊"),
    "heard_called_up": Entry("called up", "想起"),
    "heard_receipt": Entry(
        "What this line called up. Nobody answered it, so no prompt was made.", "这句话让角色想起的事。没有人回答它，所以没有提示词。"
    ),
    "heard_receipt_of": Entry("What came to mind in round {n}", "第 {n} 轮想起了什么"),
    "heard_receipt_newest": Entry("The newest", "最新的"),
    "receipt_heard": Entry("What was heard", "听到的话"),
    "listen_feeds": Entry("Lines from another program", "由别的程序送来台词"),
    "listen_feeds_means": Entry(
        "Whoever has a token can add lines to this conversation and do nothing else. A line is a JSON object with speaker and text, and at and id if you like.",
        "持有令牌的程序只能往这段对话里添加台词，别的都不能做。一行是一个 JSON 对象：speaker、text，可另带 at 和 id。",
    ),
    "listen_feeds_off": Entry(
        "This conversation does not listen now: lines are refused until it does again.",
        "这段对话现在不在旁听：台词会被拒绝，直到它重新旁听。",
    ),
    "listen_address": Entry("Address", "地址"),
    "listen_tokens": Entry("Tokens", "令牌"),
    "listen_tokens_none": Entry("There is none yet.", "还没有令牌。"),
    "listen_token_name": Entry("What it is for (may stay empty)", "用来做什么（可以不填）"),
    "listen_token_unnamed": Entry("Token", "令牌"),
    "listen_token_made": Entry("made {day}", "{day}创建"),
    "listen_token_used": Entry("last used {day}", "上次使用：{day}"),
    "listen_token_unused": Entry("never used", "还没用过"),
    "listen_token_make": Entry("Make a token", "创建令牌"),
    "listen_token_revoke": Entry("Revoke", "作废"),
    "listen_token_revoke_which": Entry("Revoke {name}", "作废“{name}”"),
    "listen_token_shown": Entry(
        "Copy it now: it is shown this once and kept nowhere as it is.", "请现在就复制：只显示这一次，原文不会保存在任何地方。"
    ),
    "listen_token_copy": Entry("Copy the token", "复制令牌"),
    "listen_command": Entry("To feed a file or a pipe", "送入一个文件或管道"),
    "found_way": Entry("As what it comes in", "作为什么导入"),
    "found_way_talk": Entry("A conversation to go on with", "可以接着聊的对话"),
    "found_way_listen": Entry("Heard by a character who does not answer", "由一个只听不答的角色旁听"),
    "found_listener": Entry("Who listens", "谁在听"),
    "found_listener_new": Entry("A new character", "新角色"),
    "found_listener_name": Entry("The listener's name", "听的角色叫什么"),
    "found_nobody": Entry("Nobody", "没有人"),
    "found_listener_needed": Entry("Give the character who listens a name.", "请给听的角色起个名字。"),
    "error_not_listening": Entry("This conversation does not listen. Nothing was added.", "这段对话不在旁听。没有添加任何内容。"),
    "error_only_listens": Entry("This conversation only listens: nobody answers in it.", "这段对话只是旁听：没有人回答。"),
    "error_cannot_listen": Entry(
        "A conversation with several characters does not listen, and what was overheard has no place in one. Nothing was changed.",
        "多人对话不能旁听，旁听来的话也不能带进多人对话。没有任何改动。",
    ),
    "error_nobody_speaks": Entry(
        "Choose who says this. Nothing was added; your text stays in the box.", "请选择这句话是谁说的。没有添加；文字仍在输入框里。"
    ),
    "error_listen_token_wrong": Entry(
        "This token does not open this conversation: it was revoked, or belongs to another. Nothing was added.",
        "这个令牌打不开这段对话：它已作废，或属于另一段对话。没有添加任何内容。",
    ),
    "error_listen_tokens_many": Entry(
        "A conversation may have {limit} tokens. Revoke one that is not used.", "一段对话最多有 {limit} 个令牌。请先作废一个不用的。"
    ),
    "error_listen_too_fast": Entry(
        "Too much at once. Nothing was added; send it again in {seconds} seconds.", "送得太快。没有添加任何内容；请在 {seconds} 秒后再送。"
    ),
    "error_listen_id_taken": Entry(
        "Line {line}, {field}: another line of this conversation has this id. Nothing was added.",
        "第 {line} 行，{field}：这段对话里另有一句用了这个 id。没有添加任何内容。",
    ),
    "error_listen_json": Entry(
        "Line {line} is no JSON object in UTF-8. Nothing was added.", "第 {line} 行不是 UTF-8 的 JSON 对象。没有添加任何内容。"
    ),
    "error_listen_field": Entry(
        "Line {line}, {field}: it is missing, empty or no text. Nothing was added.",
        "第 {line} 行，{field}：缺失、为空或不是文字。没有添加任何内容。",
    ),
    "error_listen_unknown": Entry(
        "Line {line}, {field}: there is no such field; a line has speaker, text, at and id. Nothing was added.",
        "第 {line} 行，{field}：没有这个字段；一行只有 speaker、text、at、id。没有添加任何内容。",
    ),
    "error_listen_long": Entry(
        "Line {line}, {field}: it has more than {limit} characters. Nothing was added.",
        "第 {line} 行，{field}：超过 {limit} 个字符。没有添加任何内容。",
    ),
    "error_listen_date": Entry(
        "Line {line}, {field}: it is no date such as 2024-05-01T18:30:00Z. Nothing was added.",
        "第 {line} 行，{field}：不是像 2024-05-01T18:30:00Z 这样的日期。没有添加任何内容。",
    ),
    "error_listen_twin": Entry(
        "Line {line}, {field}: an earlier line of the same request has this id. Nothing was added.",
        "第 {line} 行，{field}：同一次请求里前面已有一行用了这个 id。没有添加任何内容。",
    ),
    "error_listen_large": Entry(
        "One request takes {lines} lines and {kb} KB at most. Nothing was added; send fewer at once.",
        "一次请求最多 {lines} 行、{kb} KB。没有添加任何内容；请分几次送。",
    ),
}
