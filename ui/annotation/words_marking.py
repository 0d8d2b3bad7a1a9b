"""Sentences of the workbench: what was marked while playing."""

from __future__ import annotations

from ui.entry import Entry

BEGINNING: dict[str, Entry] = {
    "name": Entry("Marked while playing", "玩的时候标的"),
    "guideline": Entry(
        "What you mark at a message while you play lands here, in the words of the message. Word it as one fact, in the third person, and choose its category.",
        "玩的时候在消息上标的内容会放到这里，保留消息的原话。请把它写成一件事，用第三人称，并选好类别。",
    ),
}
"""What the project of somebody's own is made with."""

MARKING_WORDS: dict[str, Entry] = {
    "marked_means": Entry(
        "Only you see this project; admins do not. Each dialogue follows its conversation and is erased with it. Where you rewrote what stands before a mark, "
        "later marks go to a dialogue of their own.",
        "这个项目只有你能看到，管理员也看不到。每段对话跟随它所在的会话，随会话一起彻底删除。如果改写了某个标记之前的内容，之后的标记会放进另一段对话。",
    ),
    "is_own": Entry("yours alone", "仅你可见"),
    "open_dialogue": Entry("Open", "打开"),
    "submit_own_sure": Entry(
        "Submit {n} memory point? It becomes the dialogue’s gold, which you can export. You can take the submission back.|Submit {n} memory points? They "
        "become the dialogue’s gold, which you can export. You can take the submission back.",
        "提交 {n} 个记忆点？它们会成为这段对话的审定结果，可以导出。之后也可以收回提交。",
    ),
}
