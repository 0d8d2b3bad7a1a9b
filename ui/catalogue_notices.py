"""What is good to know before one talks, and the mark of characters for adults."""

from __future__ import annotations

from ui.entry import Entry

NOTICES: dict[str, Entry] = {
    "notice_title": Entry("Good to know first", "开始之前"),
    "notice_fiction": Entry(
        "Characters are fiction. A language model makes up what they say: it is nobody’s word and no advice, and it can be wrong or hurtful.",
        "角色是虚构的。他们说的话由语言模型编写，不代表任何人，也不是建议，可能出错，也可能伤人。",
    ),
    "notice_unmoderated": Entry(
        "Nobody moderates what is said here. What a model refuses is its maker’s choice, not a safeguard.",
        "这里没有人审核内容。模型拒绝什么由它的制作者决定，不能当作防护。",
    ),
    "notice_adults": Entry(
        "Some cards are made for adults. Use those only if you are of age where you live; a card that says so itself is marked 18+.",
        "有些角色卡面向成年人，请仅在达到当地法定成年年龄时使用；自己写明的角色卡会标上 18+。",
    ),
    "notice_leaves": Entry(
        "For each reply the talk and what is remembered of you are sent to {host}. The Health sheet says what goes where.",
        "每次回复都会把对话和对你的记忆发给{host}。“状态”页写明什么发往哪里。",
    ),
    "unwritable_storage_full": Entry(
        "The disk is full. Everything that was saved can be read and searched, but nothing new is saved until there is room: no message, no change, no memory. "
        "Memories may be found by their words alone.",
        "磁盘已满。保存过的内容都可以阅读和搜索，但在腾出空间之前什么都存不上：消息、改动、记忆都不行。记忆可能只能按字词找到。",
    ),
    "unwritable_storage_read_only": Entry(
        "The data folder can only be read. Everything that was saved can be read and searched, but nothing new is saved until the folder can be written: no "
        "message, no change, no memory. Memories may be found by their words alone.",
        "数据文件夹只能读取。保存过的内容都可以阅读和搜索，但在它可以写入之前什么都存不上：消息、改动、记忆都不行。记忆可能只能按字词找到。",
    ),
    "unwritable_storage_damaged": Entry(
        "The database is damaged. What can still be read of it is shown, but nothing new is saved: no message, no change, no memory. Nothing saved before was "
        "changed by this. Whoever runs Keepsake can bring a backup back: “python -m storage backups” lists them, “python -m storage restore FILE” brings one back.",
        "数据库已损坏。还能读出的内容照常显示，但什么都存不上：消息、改动、记忆都不行。之前保存的内容没有因此改动。运行 Keepsake 的人可以恢复备份："
        "用 “python -m storage backups” 查看，用 “python -m storage restore 文件” 恢复其中一份。",
    ),
    "notice_line": Entry("Fiction by a language model, not moderated here.", "这是语言模型写的虚构内容，这里无人审核。"),
    "notice_more": Entry("What this means", "这是什么意思"),
    "hide_adult": Entry(
        "Keep characters marked 18+ out of sight. Conversations with them stay in the list; this is no lock, and can be switched off here.",
        "不显示标有 18+ 的角色。和他们的对话仍在列表里；这不是锁，随时可以在这里关掉。",
    ),
    "adult_tags": Entry("For adults: its tags say so", "面向成年人：标签里写明"),
    "adult_text": Entry(
        "For adults: its text says so. A tag “SFW” in its form takes the mark away.",
        "面向成年人：文字里写明。在表单里加上标签“SFW”即可去掉这个标记。",
    ),
    "gallery_hidden": Entry("{n} marked 18+ is out of sight.|{n} marked 18+ are out of sight.", "有 {n} 个标有 18+ 的角色未显示。"),
    "gallery_show_hidden": Entry("Show", "显示"),
    "gallery_hide_adult": Entry("Keep 18+ out of sight", "不显示 18+"),
    "card_hidden": Entry("It is marked 18+ and out of sight, as you wanted.", "它标有 18+，按你的设置不显示。"),
}
