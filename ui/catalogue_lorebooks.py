"""The sentences about a person's own lorebooks."""

from __future__ import annotations

from ui.entry import Entry

LOREBOOKS: dict[str, Entry] = {
    "lorebooks": Entry("Lorebooks", "世界书"),
    "lore_means": Entry(
        "What a world holds: places, people, rules. An entry comes into the prompt when one of its keys is said. A book is read where you say: in all "
        "conversations, with some characters, or in one conversation. Lorebooks that came with a character stay in its card.",
        "写下一个世界里的地点、人物和规矩。说到某个关键词，对应的条目就会放进提示。每本书由你决定在哪里生效：所有对话、某些角色，或某一段对话。"
        "随角色卡带来的世界书留在角色卡里。",
    ),
    "lore_none": Entry(
        "None yet. Make one, or import a file: SillyTavern’s World Info or a V3 lorebook (JSON).",
        "还没有。新建一本，或导入文件：SillyTavern 的 World Info 或 V3 世界书（JSON）。",
    ),
    "lore_new": Entry("New lorebook", "新建世界书"),
    "lore_make": Entry("Make it", "新建"),
    "lore_import": Entry("Import a file", "导入文件"),
    "lore_entries": Entry("{n} entry|{n} entries", "{n} 条"),
    "lore_nowhere": Entry("read nowhere yet", "还没有在任何地方生效"),
    "lore_removed": Entry("{n} removed|{n} removed", "已移除 {n} 本"),
    "lore_erase": Entry("Erase “{name}” for good?", "彻底清除“{name}”？"),
    "lore_erase_means": Entry(
        "It goes from this computer and from all backups. This cannot be taken back. Receipts of past replies keep what stood in their prompts.",
        "它会从这台电脑和所有备份里清除，无法撤销。已有回复的回执仍保留当时提示里的内容。",
    ),
    "lore_where": Entry("Where it is read", "在哪里生效"),
    "lore_everywhere": Entry("in all conversations", "所有对话"),
    "lore_here": Entry("in this conversation: {title}", "这段对话：{title}"),
    "lore_there": Entry("in the conversation: {title}", "对话：{title}"),
    "lore_with": Entry("with {name}", "和{name}的对话"),
    "lore_add_character": Entry("With a character …", "添加角色…"),
    "lore_settings": Entry("The book", "这本书"),
    "lore_description": Entry("What it is about", "简介"),
    "lore_scan_depth": Entry("Messages looked through", "向前查看的消息数"),
    "lore_scan_depth_means": Entry("Empty: 4.", "留空为 4。"),
    "lore_budget": Entry("Most tokens", "词元上限"),
    "lore_budget_means": Entry("All books together: 15% of the prompt.", "所有书合计不超过提示的 15%。"),
    "lore_recursive": Entry("What comes up may call up more", "取出的条目可以再带出别的条目"),
    "lore_saved": Entry("Saved. The next reply follows it.", "已保存，从下一条回复起生效。"),
    "lore_new_entry": Entry("New entry", "新建条目"),
    "lore_seek": Entry("Find by name or key", "按名称或关键词查找"),
    "lore_more": Entry("{n} more; look for one above.|{n} more; look for one above.", "还有 {n} 条，请在上面查找。"),
    "lore_no_entry": Entry("No entry of that name or key.", "没有这个名称或关键词的条目。"),
    "lore_empty": Entry(
        "No entries yet. Each has keys, and what is known when one is said.", "还没有条目。每条有关键词，以及说到它时要知道的内容。"
    ),
    "lore_off": Entry("off", "停用"),
    "lore_unusable": Entry("This key calls nothing up: {key}", "这个关键词不起作用：{key}"),
    "lore_out_world": Entry("Export as World Info", "导出为 World Info"),
    "lore_out_v3": Entry("Export as V3", "导出为 V3"),
    "lore_remove": Entry("Remove", "移除"),
    "lore_did_remove": Entry("{name} is removed; it can be restored.", "{name}已移除，可以恢复。"),
    "lore_open_book": Entry("Open the lorebook", "打开世界书"),
    # An entry
    "lore_title": Entry("Its name, for you", "名称（给自己看）"),
    "lore_keys": Entry("Keys", "关键词"),
    "lore_keys_means": Entry(
        "One a line. Between slashes it is a regular expression: /dragons?/i", "每行一个。写在斜杠之间是正则表达式：/dragons?/i"
    ),
    "lore_content": Entry("What is known then", "内容"),
    "lore_content_means": Entry("{{char}} and {{user}} are filled in.", "{{char}} 和 {{user}} 会替换成名字。"),
    "lore_enabled": Entry("In use", "启用"),
    "lore_constant": Entry("Always there, whatever is said", "始终都在，不看关键词"),
    "lore_place": Entry("Where it stands", "位置"),
    "place_lore_before_char": Entry("before the character", "角色设定之前"),
    "place_lore_after_char": Entry("after the character", "角色设定之后"),
    "place_lore_at_depth": Entry("within the conversation", "对话之中"),
    "lore_depth": Entry("Messages above the end", "距末尾的消息数"),
    "lore_role": Entry("As whose words", "作为谁的话"),
    "role_lore_none": Entry("not said", "不指定"),
    "role_lore_user": Entry("the player’s", "玩家"),
    "role_lore_assistant": Entry("the character’s", "角色"),
    "role_lore_system": Entry("the system’s", "系统"),
    "lore_depth_means": Entry(
        "Depth and role count within the conversation. A called-up entry of the other places stands just above the newest message. Some models refuse the "
        "system’s words in the middle of a conversation.",
        "距离和身份只用于“对话之中”。其他位置的条目被取出时，放在最新消息的上方。有些模型不接受对话中间的系统消息。",
    ),
    "lore_further": Entry("More", "更多"),
    "lore_secondary": Entry("Further keys, one a line", "次要关键词，每行一个"),
    "lore_logic": Entry("Of the further keys", "次要关键词的条件"),
    "logic_any": Entry("one must be there", "至少出现一个"),
    "logic_all": Entry("all must be there", "全部出现"),
    "logic_not_any": Entry("none may be there", "一个都不能出现"),
    "logic_not_all": Entry("not all may be there", "不能全部出现"),
    "lore_order": Entry("Order (lower stands higher)", "顺序（小的在前）"),
    "lore_probability": Entry("Chance in percent", "出现概率（%）"),
    "lore_case": Entry("Capitals count", "区分大小写"),
    "lore_words": Entry("Whole words only", "只匹配整词"),
    "lore_recurses": Entry("May call up others", "可以带出别的条目"),
    "lore_recursed": Entry("May be called up by others", "可以被别的条目带出"),
    "lore_unsaved": Entry("What you changed in this entry is not saved.", "你对这个条目的修改还没有保存。"),
    "lore_leave": Entry("Leave without saving", "不保存，离开"),
    "lore_drop": Entry("Delete the entry", "删除条目"),
    # Errors
    "error_lorebook_not_found": Entry(
        "This lorebook or entry is not there any more. Nothing was changed.", "这本世界书或条目已经不在了。没有任何改动。"
    ),
    "error_lorebook_changed": Entry(
        "This lorebook was changed in another tab. Nothing was done; open it again to see how it stands.",
        "另一个标签页改动了这本世界书。这里什么也没有做，请重新打开查看。",
    ),
    "error_lorebooks_too_many": Entry(
        "You have {limit} lorebooks; more are not kept. Remove one first.", "你已有 {limit} 本世界书，不能再多。请先移除一本。"
    ),
    "error_lorebook_too_large": Entry(
        "A lorebook may have {entries} entries and {limit} MiB. Nothing was changed.",
        "一本世界书最多 {entries} 条、{limit} MiB。没有任何改动。",
    ),
    "error_lorebook_key_unknown": Entry(
        "“{key}” is no regular expression that can be used here: {why}. Looking ahead or behind is not possible. Nothing was changed.",
        "“{key}”不是这里能用的正则表达式：{why}。不支持前后查看。没有任何改动。",
    ),
}
