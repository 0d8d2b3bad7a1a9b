"""The sentences of the sheets that show what is remembered: story, persona, insights, topics, memories and their forgetting."""

from __future__ import annotations

from ui.entry import Entry

MEMORY: dict[str, Entry] = {
    # The sheets of the right column
    "panel": Entry("Memory", "记忆"),
    "story": Entry("Story", "故事"),
    "persona": Entry("Persona", "画像"),
    "insights": Entry("Insights", "领会"),
    "topics": Entry("Topics", "话题"),
    "memories": Entry("Memories", "记忆"),
    "days_span": Entry("{from} – {to}", "{from} – {to}"),
    "chapters_unfold": Entry("{n} chapter|{n} chapters", "{n} 章"),
    "chapters_fold": Entry("Close the {n} chapter|Close the {n} chapters", "收起 {n} 章"),
    "rounds_unfold": Entry("{n} round, as spoken|{n} rounds, as spoken", "{n} 轮原话"),
    "rounds_fold": Entry("Close the {n} round|Close the {n} rounds", "收起 {n} 轮"),
    "span_empty": Entry("Nothing of this is left in the conversation.", "对话里已经没有这一段了。"),
    "arc": Entry("Arc {n}", "第 {n} 篇"),
    "chapter": Entry("Chapter {n}", "第 {n} 章"),
    "so_far": Entry("So far", "写到这里"),
    "so_far_means": Entry("A chapter closes after {n} rounds.", "每 {n} 轮结成一章。"),
    "story_division": Entry("Length of the chapters", "章节长短"),
    "preset_paper": Entry("Long story", "长故事"),
    "preset_short": Entry("Short story", "短故事"),
    "story_day": Entry("The day in the story", "故事里的日期"),
    "story_day_set": Entry("Set the day", "设定日期"),
    "story_day_real": Entry("Use the real date", "改用真实日期"),
    "story_day_runs": Entry("It goes on with the real days", "随真实日子往前走"),
    "story_day_means": Entry(
        "What is said from then on is dated by it: “yesterday” is the day before. What was said keeps its date.",
        "此后说的话按它记日期：“昨天”就是前一天。已经说过的话日期不变。",
    ),
    "preset_means": Entry("{n} rounds make a chapter, {all} an arc.", "{n} 轮一章，{all} 轮一篇。"),
    "story_settings": Entry("Length of chapters, and the story's day", "章节长短与故事里的日期"),
    "summarise": Entry("Close the chapter now", "现在结成一章"),
    "summarise_means": Entry(
        "What is told so far becomes a chapter, and what you say next begins another. It can be undone.",
        "把写到这里的结成一章，接下来说的话另起一章。可以撤销。",
    ),
    "story_next": Entry("The next chapter begins with what you say next.", "接下来说的话另起一章。"),
    "story_none": Entry(
        "The story begins with the first thing that is told. Sentences gather here as you talk, and every {n} rounds become a chapter.",
        "故事从第一件说出口的事开始。聊着聊着，句子会聚到这里，每 {n} 轮结成一章。",
    ),
    "persona_none": Entry("Nothing is known of you yet.", "关于你，这里还是空白。"),
    "persona_will": Entry(
        "Your name, your people, your work and home, what you like and cannot stand, what you plan: whatever you tell appears here under its own heading.",
        "你的名字、身边的人、工作和住处、喜欢和讨厌的东西、将来的打算：说到什么，这里就分门别类记下什么。",
    ),
    "persona_means": Entry(
        "Taken only from your own words, once you have sent the next message; each value leads to the round it was said in.",
        "只取自你自己说的话，在你发出下一条消息之后写入；每一项都能跳回说出它的那一轮。",
    ),
    "show_words": Entry("Show the words it was taken from", "看看原话"),
    "just_now": Entry("just now", "刚刚"),
    "rounds_ago": Entry("{n} round ago|{n} rounds ago", "{n} 轮前"),
    "unmerged": Entry("Kept side by side: no model has put them together.", "并列保留，没有合并：还没有模型把它们并到一起。"),
    "merged": Entry("put together by the memory model", "由记忆模型合并"),
    "insights_none": Entry(
        "{name} has formed no view of you yet. An insight needs at least two things you told, in different rounds, that mean something to {name}.",
        "{name}对你还没有形成看法。至少要有两件你在不同轮次说过的事，又恰好触动{name}，才会有一条领会。",
    ),
    "insights_mean": Entry(
        "A guess, by the {n} judgment {name} lives by; it may be wrong.|A guess, by the {n} judgments {name} lives by; it may be wrong.",
        "这是{name}按自己的 {n} 条处世看法对你的猜测，未必准确。",
    ),
    "no_stances": Entry(
        "{name} has no stances, judgments of its own to read you by, so it forms no views of you; none are made up.",
        "{name}没有可以用来看你的立场，所以不会对你形成看法，也不会编造。",
    ),
    "reading_of": Entry("{name}'s reading", "{name}的理解"),
    "trust": Entry("trust {n} %", "可信 {n}%"),
    "not_true": Entry("Not true", "并非如此"),
    "not_true_means": Entry(
        "{name} reads this wrongly: it is not used any more, and does not come back when memory is made anew.",
        "{name}看错了：不再使用，重新整理记忆时也不会再出现。",
    ),
    "did_deny": Entry("Noted: not true. It stays away.", "记下了：并非如此，不会再出现。"),
    "true_after_all": Entry("True after all", "其实没错"),
    "did_allow": Entry("It counts again.", "它又算数了。"),
    "denied": Entry("{n} reading you called not true|{n} readings you called not true", "你说并非如此的 {n} 条"),
    "denied_means": Entry("Kept so that they do not come back; none of them is used.", "留在这里是为了不让它们再出现；都不会被用到。"),
    "trust_means": Entry(
        "As sure as the least certain thing it rests on, and as that one bears on it.", "取决于依据中最不确定、最不相干的那一条。"
    ),
    "because": Entry("It rests on", "依据"),
    "topic_by": Entry("from what {name} said", "来自{name}说的话"),
    "topic_earlier": Entry("{n} earlier telling|{n} earlier tellings", "之前还谈过 {n} 次"),
    "topics_none": Entry(
        "No topics yet. They are told when a session ends: after {n} minutes of silence, or when you end it here. A session in which you told nothing has none.",
        "还没有话题。一次会话结束时才会整理：安静 {n} 分钟之后，或者由你在这里结束。什么事都没讲的会话就没有话题。",
    ),
    "topics_mean": Entry(
        "What each session was about, told when it ends ({n} minutes of silence). What later sessions tell of the same thing is laid on top; the earlier stays below.",
        "每次会话谈了什么，在会话结束（安静 {n} 分钟）时整理。以后再谈到同一件事，新的放在上面，从前的留在下面。",
    ),
    "session_open": Entry("This session began with round {n}.", "这次会话从第 {n} 轮开始。"),
    "session_closed": Entry(
        "No session is open; the next begins with what you say next.", "现在没有进行中的会话，接下来说的话会开始新的会话。"
    ),
    "end_session": Entry("End the session", "结束会话"),
    "end_session_means": Entry(
        "Its topics are told now instead of after a silence. You can go on talking: a new session begins.",
        "现在就整理它的话题，不用等到安静下来。之后照样可以聊，会开始新的会话。",
    ),
    # Memories
    "shelves": Entry("Kinds of memories", "记忆的种类"),
    "facts": Entry("Facts", "事实"),
    "episodes": Entry("Word for word", "原话"),
    "forgotten": Entry("Forgotten", "淡忘"),
    "facts_none": Entry(
        "No facts yet. They are drawn from a round once you have sent the next message.",
        "还没有事实。你发出下一条消息后，会从上一轮里提取。",
    ),
    "forgotten_none": Entry("Nothing has been forgotten.", "还没有淡忘任何事。"),
    "forgotten_means": Entry(
        "These lost their place to stronger memories and are not recalled any more. Nothing is erased by forgetting: the conversation keeps every word.",
        "它们把位置让给了更牢的记忆，不再被想起。淡忘不等于删除：原来的对话一字不少。",
    ),
    "capacity": Entry("room for {n}", "可容 {n} 条"),
    "capacity_means": Entry(
        "There is room for {n} fact or insight at a time; beyond that, what tells little, repeats others and has a low score is forgotten first.|There is room "
        "for {n} facts and insights at a time; beyond that, what tells little, repeats others and has a low score is forgotten first.",
        "事实和领会一共可容 {n} 条；放不下时，内容少、与别的相像、分数又低的先被淡忘。",
    ),
    "said_by": Entry("{name} said", "{name}说的"),
    "not_sure": Entry("not sure", "不确定"),
    "happened_on": Entry("when: {day}", "时间：{day}"),
    "happened_between": Entry("when: {first} to {last}", "时间：{first} 至 {last}"),
    "kind_episode": Entry("word for word", "原话"),
    "kind_fact": Entry("fact", "事实"),
    "kind_insight": Entry("insight", "领会"),
    "memories_none": Entry(
        "Nothing is remembered yet. Every finished round becomes a memory.", "还没有记忆。每一轮说完，就会成为一条记忆。"
    ),
    "memories_no_chat": Entry("Open a conversation to see what is remembered.", "打开一段对话，就能看到记住了什么。"),
    "order": Entry("Order of the memories", "记忆的排序"),
    "by_score": Entry("By score", "按分数"),
    "by_newest": Entry("Newest", "最新"),
    "score": Entry("Score", "分数"),
    "score_means": Entry(
        "The score says how present a memory is: it fades as rounds go by, rises each time the memory is recalled, and halves when others win.",
        "分数表示多容易想起：一轮轮过去会变淡，每次被想起会升高，被别的记忆比下去时减半。",
    ),
    "recalled_times": Entry("recalled {n}×", "想起 {n} 次"),
    "inhibited_times": Entry("passed over {n}×", "被盖过 {n} 次"),
    "go_to_round": Entry("Go to round {n}", "跳到第 {n} 轮"),
    "rounds_span": Entry("rounds {first}–{last}", "第 {first}–{last} 轮"),
    "expand": Entry("Show all", "展开"),
    "collapse": Entry("Show less", "收起"),
    "show_more": Entry("Show more", "显示更多"),
    "queue_waiting": Entry("{n} memory task to do|{n} memory tasks to do", "还有 {n} 个记忆任务"),
    "read_to": Entry("Remembered up to here", "记忆读到这里"),
    "read_to_means": Entry(
        "Every round down to here was read for memory. The newest waits until the next begins, so that another reply can still be asked for; while there is work "
        "to do, or some of it failed, the mark stands further up.",
        "到这里为止的每一轮都已读入记忆。最新一轮要等下一轮开始才读，这样还可以换一条回复；还有任务未完成或失败时，标记会停在更上面。",
    ),
    "read_to_round": Entry("remembered up to round {n}", "记忆读到第 {n} 轮"),
    "read_to_go": Entry("Remembered up to round {n}: go there", "记忆读到第 {n} 轮：去那里"),
    "read_to_none": Entry("nothing is read yet", "还没有读入记忆"),
    "queue_failed": Entry("{n} memory task failed|{n} memory tasks failed", "{n} 个记忆任务失败"),
    "queue_error": Entry("Last error: {error}", "最近的错误：{error}"),
    "retry": Entry("Try again", "重试"),
}
