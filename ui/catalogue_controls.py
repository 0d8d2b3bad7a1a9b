"""The sentences of what a person can do with memories and with the work that makes them."""

from __future__ import annotations

from ui.entry import Entry

CONTROLS: dict[str, Entry] = {
    # One memory
    "memory_menu": Entry("What to do with this memory", "这条记忆可以怎么办"),
    "edit_memory": Entry("Edit", "编辑"),
    "edit_memory_means": Entry(
        "Your wording stands from now on; nothing that is made automatically replaces it.", "从此以你的措辞为准，自动整理不会改动它。"
    ),
    "edit_story_means": Entry("One sentence a line. Your wording stands from now on.", "一行一句。从此以你的措辞为准。"),
    "held_back": Entry("It rests on something that is left out, so it is not recalled.", "它的依据已被排除，所以不会被想起。"),
    "did_edit_memory": Entry("Saved. Your wording stands.", "已保存，以你的措辞为准。"),
    "pin": Entry("Pin", "置顶"),
    "unpin": Entry("Unpin", "取消置顶"),
    "pinned": Entry("pinned", "已置顶"),
    "pinned_means": Entry("Always before the character's eyes, and never forgotten.", "角色始终记在眼前，不会被淡忘。"),
    "did_pin": Entry("Pinned: it is in every prompt from now on.", "已置顶：从此每次回复都会用到。"),
    "did_unpin": Entry("No longer pinned.", "已取消置顶。"),
    "exclude": Entry("Leave out", "排除"),
    "include": Entry("Take in again", "重新纳入"),
    "excluded": Entry("left out", "已排除"),
    "excluded_means": Entry("Kept and shown here, but never recalled.", "留着并显示在这里，但不会被想起。"),
    "did_exclude": Entry("Left out: it is kept, and not recalled any more.", "已排除：留着，但不再被想起。"),
    "did_include": Entry("It can be recalled again.", "又可以被想起了。"),
    "mine": Entry("edited by you", "你改过"),
    "mine_means": Entry("These are your words.", "这是你写的措辞。"),
    "changed": Entry("source changed", "出处已变"),
    "changed_means": Entry(
        "The message this came from reads otherwise now. Your wording stands; you can derive it again.",
        "它所出自的消息已经改了。你的措辞仍然有效，也可以重新提取。",
    ),
    "restore_memory": Entry("Remember it again", "重新记起"),
    "did_restore_memory": Entry("It is remembered again.", "又记起来了。"),
    "delete_memory": Entry("Delete for good", "彻底删除"),
    "delete_memory_title": Entry("Delete this memory for good?", "彻底删除这条记忆？"),
    "delete_memory_means": Entry(
        "It is erased here and from the receipts of earlier replies, and does not come back when memory is made anew. "
        "The conversation itself stays as it is. This cannot be undone.",
        "它会从这里和以前的回执中清除，重新整理记忆时也不会再出现。对话本身不变。这一步无法撤销。",
    ),
    "did_delete_memory": Entry("The memory is gone for good.", "这条记忆已彻底删除。"),
    "rederive": Entry("Derive again", "重新提取"),
    "rederiving": Entry("Reading the same words again …", "正在重读原话…"),
    "rederive_means": Entry("Nothing has changed yet: choose which one stands.", "还没有任何改动：选一个留下。"),
    "rederive_old": Entry("As it is", "现在的"),
    "rederive_new": Entry("Derived again", "重新提取的"),
    "rederive_keep": Entry("Keep this", "保留这个"),
    "rederive_take": Entry("Take this", "改用这个"),
    "rederive_same": Entry("the same as now", "和现在一样"),
    "rederive_none": Entry("The same words give no memory now.", "从同样的话里没有提取出记忆。"),
    # One round
    "of_round_title": Entry("What came from round {n}", "第 {n} 轮留下了什么"),
    "of_round_means": Entry("Everything that rests on words of this round.", "凡是以这一轮的话为依据的，都在这里。"),
    "of_round_none": Entry(
        "Nothing rests on this round yet. Memory is made once you have sent the next message.",
        "这一轮还没有留下记忆。你发出下一条消息后才会整理。",
    ),
    "kind_persona": Entry("persona", "画像"),
    "kind_plot": Entry("chapter", "章节"),
    "kind_topic": Entry("topic", "话题"),
    # The work
    "queue": Entry("Memory work", "记忆任务"),
    "queue_means": Entry(
        "Done one after the other, beside the conversation. What fails is kept here and can be run again.",
        "在对话之外逐个进行。失败的会留在这里，可以重新运行。",
    ),
    "queue_empty": Entry("There is nothing to do: everything that was said is remembered as it stands.", "没有待办：说过的话都已整理好。"),
    "queue_progress": Entry("{done} of {total} done", "已完成 {done} / {total}"),
    "queue_more": Entry("and {n} more", "另有 {n} 个"),
    "task_queued": Entry("waiting", "等待"),
    "task_leased": Entry("at work", "进行中"),
    "task_failed": Entry("failed", "失败"),
    "task_attempts": Entry("tried {n} time|tried {n} times", "试过 {n} 次"),
    "task_until": Entry("again at {when}", "{when}再试"),
    "task_cancel": Entry("Do not do this", "取消这个任务"),
    "work_episode": Entry("Keep a round as it was said", "按原话记下一轮"),
    "work_extract": Entry("Read a round for what it tells", "从一轮里提取事实"),
    "work_unit": Entry("Tell a chapter, and forget", "写成章节，淡忘旧事"),
    "work_insight": Entry("Read the character's insights", "琢磨角色的领悟"),
    "work_mend": Entry("Mend what was rewritten", "修补改写过的部分"),
    "work_index": Entry("Make findable by meaning", "编入语义索引"),
    "work_read": Entry("Read six rounds with the memory model", "用记忆模型通读六轮"),
    "work_tell": Entry("Tell a chapter with the memory model", "用记忆模型写成章节"),
    "uses": Entry("What the memory model was asked for this conversation", "这段对话里记忆模型的用量"),
    "use_line": Entry(
        "{what}: {n} call, about {tokens} tokens, {seconds} s ({model})|{what}: {n} calls, about {tokens} tokens, {seconds} s ({model})",
        "{what}：{n} 次，约 {tokens} 个词元，{seconds} 秒（{model}）",
    ),
    "use_failed": Entry("{n} of them failed", "其中 {n} 次失败"),
    "use_facts": Entry("Facts and persona", "事实与画像"),
    "use_insights": Entry("Insights", "领会"),
    "use_persona": Entry("Putting values together", "画像合并"),
    "use_plot": Entry("Story", "故事"),
    "use_topics": Entry("Topics", "话题"),
    "retry_all": Entry("Try all again", "全部重试"),
    "rebuild": Entry("Make all memory anew …", "重新整理全部记忆…"),
    "rebuild_title": Entry("Make all memory of this conversation anew?", "重新整理这段对话的全部记忆？"),
    "rebuild_means": Entry(
        "Everything is read again from the first message on. What you edited, pinned, left out or deleted stays as you decided. "
        "It takes a while and goes on beside the conversation.",
        "从第一条消息起重读一遍。你编辑、置顶、排除、删除过的，都按你的决定保留。需要一些时间，不影响聊天。",
    ),
    "rebuild_do": Entry("Make it anew", "重新整理"),
}
