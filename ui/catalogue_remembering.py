"""The sentences of whether a conversation remembers."""

from __future__ import annotations

from ui.entry import Entry

REMEMBERING: dict[str, Entry] = {
    "memory_here": Entry("Remember here", "在此记忆"),
    "memory_on": Entry("On", "开"),
    "memory_off": Entry("Off", "关"),
    "memory_turn_off": Entry("Stop remembering here", "在此停止记忆"),
    "memory_turn_on": Entry("Remember here again", "在此恢复记忆"),
    "memory_is_off": Entry("Memory is off here", "此处的记忆已关闭"),
    "memory_on_means": Entry(
        "What is said here is remembered, and replies recall it.",
        "这里说的话会被记住，回复时会想起。",
    ),
    "memory_off_means": Entry(
        "Nothing is recalled for replies, and nothing new is read. What is said stays, and is caught up with when memory is on again.",
        "回复时什么也不会想起，新说的话也不会被读取。说过的都保留着，重新打开后会补上。",
    ),
    "memory_off_queue": Entry(
        "Memory is off in this conversation: this work waits, and is done in its order when it is on again.",
        "这段对话的记忆已关闭：这些工作会等到重新打开后按顺序完成。",
    ),
    "memory_off_line": Entry("Off: {n} task waits|Off: {n} tasks wait", "已关闭：{n} 个任务在等待"),
    "did_remember": Entry("It remembers again, and catches up with what was said meanwhile.", "已恢复记忆，正在补上期间说过的话。"),
    "did_pause_memory": Entry("Nothing is remembered here now.", "现在起这里什么也不记。"),
    "operation_remember": Entry("remembering again", "恢复记忆"),
    "operation_pause_memory": Entry("memory off", "关闭记忆"),
    "degraded_off": Entry(
        "Memory was off in this conversation, so nothing was recalled: neither memories nor pins, nor what is known of you.",
        "当时这段对话的记忆是关闭的，所以什么也没有回想：记忆、常驻记忆和对你的了解都没有用到。",
    ),
}
