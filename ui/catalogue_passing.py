"""The sentences of temporary conversations."""

from __future__ import annotations

from ui.entry import Entry

PASSING: dict[str, Entry] = {
    "passing": Entry("Temporary conversation", "临时对话"),
    "passing_open": Entry("Temporary", "临时"),
    "passing_means": Entry(
        "Nothing of it is written to disk: no message, no memory, no receipt, no draft. It is in this program’s memory alone, and gone when you leave it, "
        "when its tab is closed (ten minutes later at the latest), or when the program ends. The character remembers nothing of your other conversations in it.",
        "它的任何内容都不写入磁盘：没有消息、记忆、回执和草稿。它只存在于程序的内存里，离开、关闭标签页（最迟十分钟后）或程序退出时即消失。角色在其中也想不起你们别的对话。",
    ),
    "passing_beyond": Entry(
        "Not in this program’s hands: what a hosted model’s provider keeps of what it is sent, and what the operating system moves from memory to disk.",
        "本程序管不到的：在线模型的提供方会保留什么，操作系统会把内存中的什么换到磁盘上。",
    ),
    "passing_kept": Entry("What is kept of it, and what not", "它会留下什么，不会留下什么"),
    "passing_with": Entry("With whom?", "和谁？"),
    "passing_leave": Entry("Leave, and let it be gone", "离开并清除"),
    "passing_leave_title": Entry("Leave this conversation?", "离开这段对话？"),
    "passing_leave_text": Entry("It is gone for good then. Nothing of it can be brought back.", "离开后它就永远消失，无法找回。"),
    "passing_gone": Entry("It is gone. Nothing of it was kept.", "它已消失，什么也没有留下。"),
}
