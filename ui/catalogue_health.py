"""The sentences of the sheet that says how the house stands."""

from __future__ import annotations

from ui.entry import Entry

HEALTH: dict[str, Entry] = {
    "health": Entry("Health", "状态"),
    "health_well": Entry("All is well.", "一切正常。"),
    "health_working": Entry("Memory is at work.", "正在整理记忆。"),
    "health_trouble": Entry("Some memory work failed.", "有记忆任务失败了。"),
    "health_means": Entry(
        "Nothing is waiting to be read. The newest round is read once the next begins.", "没有等待整理的内容。最新一轮要等下一轮开始才读。"
    ),
    "health_queue_left": Entry("{n} task to do.|{n} tasks to do.", "还有 {n} 个任务。"),
    "health_work": Entry("Memory work", "记忆任务"),
    "health_memories": Entry("{n} memory in this conversation.|{n} memories in this conversation.", "这段对话里有 {n} 条记忆。"),
    "health_models": Entry("Models", "模型"),
    "model_replies": Entry("Replies", "回复"),
    "model_memory": Entry("Reads for memory", "整理记忆"),
    "model_none": Entry("Memory is made without a language model.", "整理记忆不用语言模型。"),
    "model_embedder": Entry("Finds by meaning", "语义检索"),
    "model_cross": Entry("Reads what was recalled once more", "重读召回的内容"),
    "reach_here": Entry("on this computer", "在这台电脑上"),
    "reach_network": Entry("{host}, in this computer’s network", "{host}，在本地网络里"),
    "reach_elsewhere": Entry("{host}, outside this computer", "{host}，在这台电脑之外"),
    "health_index": Entry("Finding memories", "查找记忆"),
    "index_whole": Entry("Everything can be found by its words and by its meaning.", "全部记忆都能按字词和语义找到。"),
    "index_part": Entry(
        "Being made anew: {done} of {total}. Until then recall uses words, and what is done already.",
        "正在重建：{done} / {total}。完成之前按字词和已完成的部分回想。",
    ),
    "index_begun": Entry("Being made anew; counting first.", "正在重建，先在清点。"),
    "health_leaves": Entry("What leaves this computer", "哪些内容会离开这台电脑"),
    "leaves_nothing": Entry(
        "Nothing. Replies and memory are made here; nothing is measured or reported.", "没有。回复和记忆都在本机完成，不统计，也不上报。"
    ),
    "leaves_replies": Entry(
        "For each reply the prompt goes to {host}: the card, what is known of you, recalled memories and the talk before. A receipt shows each one word for word.",
        "每次回复都会把提示词发给{host}：角色卡、对你的了解、想起的记忆和之前的对话。每份回执里都能逐字看到。",
    ),
    "leaves_memory": Entry(
        "To be remembered, what was said goes to {host}, six rounds at a time.", "为了整理记忆，说过的话会每六轮一次发给{host}。"
    ),
    "leaves_questions": Entry(
        "A question to the memory takes what was found for it to {host}; a translation the message, and judgments you have drafted the character’s form.",
        "向记忆提问时，找到的内容会发给{host}；翻译时发去那条消息，起草判断时发去角色的资料。",
    ),
    "leaves_hub": Entry("Model hubs may be asked for models; no conversation goes there.", "可能会向模型库下载模型；对话不会发往那里。"),
    "leaves_page": Entry("Other computers can reach this page, with a login.", "别的电脑可以访问此页面，需要登录。"),
    "leaves_page_open": Entry("Other computers can reach this page, without a login.", "别的电脑可以访问此页面，且不用登录。"),
    "health_files": Entry("On the disk", "磁盘"),
    "file_database": Entry("Database", "数据库"),
    "file_index": Entry("Search index", "检索索引"),
    "file_backup": Entry("Last backup", "最近的备份"),
    "megabytes": Entry("{size} MB", "{size} MB"),
    "backup_none": Entry("none yet", "还没有"),
    "backup_kept": Entry("{size} MB, {n} kept", "{size} MB，共 {n} 份"),
    "backup_every": Entry(
        "One is made every {n} hour, if anything changed.|One is made every {n} hours, if anything changed.",
        "有改动时每 {n} 小时备份一次。",
    ),
    "backup_off": Entry("Backups are switched off (KEEPSAKE_BACKUP_HOURS is 0).", "备份已关闭（KEEPSAKE_BACKUP_HOURS 为 0）。"),
}
