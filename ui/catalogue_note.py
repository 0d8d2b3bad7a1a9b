"""The sentences of the author's note."""

from __future__ import annotations

from ui.entry import Entry

NOTE: dict[str, Entry] = {
    "note": Entry("Author's note", "作者附注"),
    "note_set": Entry("Author's note: one is set", "作者附注（已设置）"),
    "note_means": Entry(
        "Told to the model in this conversation, beside the story. Nobody says it, and nothing of it is remembered. It counts in the receipt’s tokens and can be undone.",
        "只在这段对话里告诉模型、不属于故事本身的话。没有人说出它，也不会被记住。它计入回执的词元数，可以撤销。",
    ),
    "note_example": Entry("Slow down. Short replies, and let the weather turn.", "放慢节奏，回复简短，让天气变坏。"),
    "note_depth": Entry("Messages below it", "其下的消息数"),
    "note_depth_means": Entry("1 is right above your newest message", "1 即紧挨在最新消息之上"),
    "note_every": Entry("In every n-th round", "每几轮出现"),
    "note_every_means": Entry("1 is every round", "1 即每一轮"),
    "note_role": Entry("Told as", "以谁的名义"),
    "note_role_user": Entry("Part of your message", "附在你的消息里"),
    "note_role_system": Entry("System message", "系统消息"),
    "note_role_user_means": Entry(
        "It stands, marked as the author’s, at the head of your message at that depth or the next below. Every model takes it.",
        "标明是作者的话，放在该深度或其下最近一条你的消息开头。所有模型都能接受。",
    ),
    "note_role_system_means": Entry(
        "A message of its own at exactly that depth. Some models take no system message in the middle of a conversation and answer with an error.",
        "在该深度单独成一条消息。有些模型不接受对话中间的系统消息，会报错。",
    ),
    "note_remove": Entry("Remove", "移除"),
}
