"""The sentences of the search."""

from __future__ import annotations

from ui.entry import Entry

SEARCHING: dict[str, Entry] = {
    "search": Entry("Search", "搜索"),
    "search_box": Entry("Words to look for", "要查找的字词"),
    "search_where": Entry("Where to look", "查找范围"),
    "search_all": Entry("All conversations", "所有对话"),
    "search_here": Entry("This conversation", "这段对话"),
    "search_means": Entry(
        "Finds what was said and what is remembered, by its words. Every conversation is searched as it stands open: other branches, other wordings "
        "and what was deleted are left out.",
        "按字词查找说过的话和记住的事。每段对话只查当前打开的样子：其他分支、其他说法和已删除的内容不在其中。",
    ),
    "search_messages": Entry("Said: {n}", "说过的话：{n}"),
    "search_memories": Entry("Remembered: {n}", "记住的事：{n}"),
    "search_newest": Entry("the newest {n} are shown", "显示最近的 {n} 条"),
    "search_found": Entry("{n} place found|{n} places found", "找到 {n} 处"),
    "search_nothing": Entry("Nothing here has all of these words.", "这里没有同时含有这些字词的内容。"),
    "search_elsewhere": Entry("Search all conversations", "在所有对话中查找"),
}
