"""Every sentence a reader can see, in English and Chinese.

A `{name}` is filled in by the page. A `|` divides the English form for one from the form for any other number `{n}`; Chinese has one form.
Families whose keys are put together by the page: `error_` (codes of `errors.KeepsakeError`), `phase_`, `status_`, `section_`, `reason_`, `part_`,
`degraded_`, `cross_` and `reread_` (of `memory.cross_reading`), `kind_`, `group_` and `key_` (of `memory.persona_keys`), `operation_`, `binned_` (kinds of
`chat.views.BinItemView`), `task_` (states), `work_` (kinds of tasks), `use_` (purposes of model calls), `asked_` (`chat.views.AskedPhase`), `missing_` (of
`chat.views.AnswerView`), `unanswered_` (codes of `models.errors`), `stage_` (of an import) and `refused_` (`chat.imported.KINDS`).
"""

from __future__ import annotations

from ui.catalogue_asking import ASKING
from ui.catalogue_controls import CONTROLS
from ui.catalogue_learning import LEARNING
from ui.catalogue_persona import PERSONA
from ui.catalogue_portable import PORTABLE
from ui.catalogue_rewriting import REWRITING
from ui.entry import Entry

CATALOGUE: dict[str, Entry] = {
    # The shelf and the masthead
    "brand": Entry("Keepsake", "Keepsake"),
    "motto": Entry("Characters who remember", "会记得你的角色"),
    "new_chat": Entry("Begin a conversation", "开始新的对话"),
    "your_chats": Entry("Conversations", "对话"),
    "no_chats": Entry("None yet. Choose who to talk with.", "还没有对话。先选一位聊聊吧。"),
    "chat_rounds": Entry("{n} round|{n} rounds", "{n} 轮"),
    "talk_with": Entry("Talk with {name}", "和{name}聊天"),
    "language_name": Entry("English", "中文"),
    "language_switch": Entry("Language", "语言"),
    "open_shelf": Entry("Conversations and characters", "对话与角色"),
    "open_panel": Entry("Memory and receipt", "记忆与回执"),
    "close": Entry("Close", "关闭"),
    "dismiss": Entry("Dismiss this message", "关闭这条提示"),
    "details": Entry("Details", "详情"),
    # Where nothing is open yet
    "welcome": Entry("Who would you like to talk with?", "今天想和谁聊聊？"),
    "welcome_line": Entry(
        "Whatever you say is kept, and they will remember it: tomorrow, and two hundred rounds from now.",
        "你说过的话都会留着，他们也会记得：明天记得，两百轮以后也记得。",
    ),
    "guide_title": Entry("How Keepsake works", "Keepsake 怎么用"),
    "guide_what": Entry(
        "Choose a character and talk. Every round is kept, and what matters comes back to the character when it is needed.",
        "选一个角色聊起来。每一轮都会保存，要紧的事会在需要时回到角色心里。",
    ),
    "guide_watch": Entry(
        "On the right (on a small screen, behind the book) you can watch the memory at work: the story so far, what is known of you, what the character makes "
        "of it, and what each reply was made from.",
        "在右边（小屏幕上点书本图标）可以看到记忆怎样运转：讲到哪里的故事、对你的了解、角色的领会，还有每条回复由什么写成。",
    ),
    "guide_keys": Entry(
        "Nothing you do is final: ← → leaf through replies, ? shows every key, and whatever you change or delete can be taken back.",
        "什么都可以反悔：← → 翻看不同的回复，? 列出所有快捷键，改过删过的都能撤销。",
    ),
    "guide_touch": Entry(
        "Nothing you do is final: rest a finger on a message to see what can be done with it; whatever you change or delete can be taken back.",
        "什么都可以反悔：长按一条消息看看能做什么，改过删过的都能撤销。",
    ),
    "guide_stays": Entry(
        "Everything stays on this computer, unless you set a model that runs elsewhere.",
        "所有内容都留在这台电脑上，除非你设置了别处的模型。",
    ),
    "got_it": Entry("Got it", "知道了"),
    "speaks_en": Entry("speaks English", "说英文"),
    "speaks_zh": Entry("speaks Chinese", "说中文"),
    # The transcript
    "conversation": Entry("Conversation", "对话内容"),
    "earlier": Entry("Earlier messages", "更早的消息"),
    "later": Entry("Later messages", "后面的消息"),
    "latest": Entry("Latest", "回到最新"),
    "latest_new": Entry("New messages", "有新消息"),
    "loading": Entry("Loading …", "正在载入…"),
    "round": Entry("round {n}", "第 {n} 轮"),
    "remembered": Entry("What was remembered", "想起了什么"),
    "status_stopped": Entry("You stopped this reply here.", "你让这条回复停在了这里。"),
    "status_cut": Entry("Cut short: the reply reached its length limit.", "回复达到长度上限，到此截断。"),
    "status_failed": Entry("The model broke off here. What had come is kept.", "模型中途断开，已写出的部分保留在此。"),
    "awaiting": Entry("Your message is kept, but it has no reply yet.", "你的消息已保存，但还没有收到回复。"),
    "ask_reply": Entry("Ask for the reply", "请求回复"),
    "empty_chat": Entry("Nothing has been said here yet.", "这里还没有人说过话。"),
    # The reply on its way
    "phase_recalling": Entry("{name} is remembering …", "{name}正在回想…"),
    "phase_reading": Entry("{name} is reading the conversation …", "{name}正在读前面的对话…"),
    "phase_writing": Entry("{name} is writing …", "{name}正在写…"),
    "phase_stopped": Entry("Stopped. Keeping what was written …", "已停止，正在保存写好的部分…"),
    "phase_done": Entry("Keeping the reply …", "正在保存回复…"),
    "phase_failed": Entry("The reply failed.", "回复失败。"),
    # The composer
    "write_to": Entry("Write to {name} …", "写给{name}…"),
    "your_message": Entry("Your message", "你的消息"),
    "send": Entry("Send", "发送"),
    "stop": Entry("Stop", "停止"),
    "stopping": Entry("Stopping …", "正在停止…"),
    "composer_hint": Entry(
        "Enter sends, Shift+Enter breaks the line, *asterisks* make gestures", "回车发送，Shift+回车换行，*星号*里写动作"
    ),
    "characters_of": Entry("{length} of {limit} characters", "{length} / {limit} 字"),
    "reply_first": Entry(
        "A reply is still being written. Your text is kept here: send it when the reply is done, or stop the reply.",
        "回复还在写。你的文字留在这里：等回复写完再发，或先停止回复。",
    ),
    "no_answer": Entry(
        "The server did not answer. Your text is kept in the box; send it again when the server is back. It is never sent twice.",
        "服务器没有回应。文字还在输入框里，等服务器恢复后再发一次即可，不会重复发送。",
    ),
    "no_server": Entry(
        "The connection to Keepsake was lost. What you typed is kept here; the page comes back by itself when the server does.",
        "与 Keepsake 的连接断开了。你输入的内容保留在这里；服务器恢复后，页面会自动恢复。",
    ),
    # The model
    "answered_by": Entry("Answers come from {model}.", "由 {model} 回答。"),
    "read_by": Entry("For memory the conversation is read by {model}.", "为了整理记忆，对话会交给 {model} 阅读。"),
    "reread_loading": Entry(
        "What is recalled is read once more by {model} as soon as it is loaded.",
        "{model} 加载好以后，会再读一遍回想到的内容。",
    ),
    "reread_ready": Entry("What is recalled is read once more by {model}.", "回想到的内容会由 {model} 再读一遍。"),
    "reread_failed": Entry(
        "{model} was to read once more what is recalled, but it is missing or broken: recall goes on without it. Check KEEPSAKE_CROSS_ENCODER; the log says why.",
        "本应由 {model} 再读一遍回想到的内容，但它缺失或已损坏，回想不经它继续进行。请检查 KEEPSAKE_CROSS_ENCODER；原因见日志。",
    ),
    "model_is_local": Entry("It runs on this computer.", "它在这台电脑上运行。"),
    "model_is_small": Entry(
        "{model} answers: a small demo model on this computer, often beside the point.",
        "{model} 在回答：这台电脑上的小型演示模型，常常答非所问，中文尤其弱。",
    ),
    "own_model": Entry("Use your own model", "使用自己的模型"),
    "own_model_how": Entry(
        "Set these environment variables and start Keepsake again. Any LiteLLM model name works, with any OpenAI-compatible address; the key stays on the server.",
        "设置下列环境变量后重新启动 Keepsake。任何 LiteLLM 模型名、任何兼容 OpenAI 的地址都可以；密钥只留在服务器上。",
    ),
    # The sheets of the right column
    "panel": Entry("Memory", "记忆"),
    "story": Entry("Story", "故事"),
    "persona": Entry("Persona", "画像"),
    "insights": Entry("Insights", "领会"),
    "topics": Entry("Topics", "话题"),
    "memories": Entry("Memories", "记忆"),
    "story_arcs": Entry("Arcs", "长篇"),
    "story_chapters": Entry("Chapters", "章节"),
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
    "before": Entry("Before", "从前"),
    "just_now": Entry("just now", "刚刚"),
    "rounds_ago": Entry("{n} round ago|{n} rounds ago", "{n} 轮前"),
    "unmerged": Entry("Kept side by side, unmerged: no model has put them together.", "并列保留，没有合并：还没有模型把它们并到一起。"),
    "merged": Entry("put together by the memory model", "由记忆模型合并"),
    "insights_none": Entry(
        "{name} has formed no view of you yet. An insight needs at least two things you told, in different rounds, that mean something to {name}.",
        "{name}对你还没有形成看法。至少要有两件你在不同轮次说过的事，又恰好触动{name}，才会有一条领会。",
    ),
    "insights_mean": Entry(
        "A guess, seen through {name}'s own history ({n} ways of seeing); it may be wrong.",
        "这是{name}带着自己的经历看你的猜测（共 {n} 种看法），未必准确。",
    ),
    "no_stances": Entry(
        "{name} has no stances, judgments of its own, so it forms no views: none are made up.",
        "{name}没有自己的立场，所以不会形成看法，也不会编造。",
    ),
    "reading_of": Entry("{name}'s reading", "{name}的理解"),
    "trust": Entry("trust {n} %", "可信 {n}%"),
    "because": Entry("It rests on", "依据"),
    "topic_of": Entry("About {name}", "关于{name}"),
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
    "episodes": Entry("Episodes", "原话"),
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
    "kind_episode": Entry("episode", "原话"),
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
    "inhibited_times": Entry("inhibited {n}×", "受抑制 {n} 次"),
    "go_to_round": Entry("Go to round {n}", "跳到第 {n} 轮"),
    "rounds_span": Entry("rounds {first}–{last}", "第 {first}–{last} 轮"),
    "expand": Entry("Show all", "展开"),
    "collapse": Entry("Show less", "收起"),
    "show_more": Entry("Show more", "显示更多"),
    "queue_waiting": Entry("{n} memory task to do|{n} memory tasks to do", "还有 {n} 个记忆任务"),
    "queue_failed": Entry("{n} memory task failed|{n} memory tasks failed", "{n} 个记忆任务失败"),
    "queue_error": Entry("Last error: {error}", "最近的错误：{error}"),
    "retry": Entry("Try again", "重试"),
    # Receipt
    "receipt": Entry("Receipt", "回执"),
    "receipt_of": Entry("What the reply of round {n} was made from", "第 {n} 轮的回复由什么写成"),
    "receipt_of_first": Entry("What this reply was made from", "这条回复由什么写成"),
    "receipt_none": Entry(
        "No receipt yet. Each reply leaves one: what was recalled, and the prompt as it was sent.",
        "还没有回执。每条回复都会留下一张：想起了什么，发出的提示词是什么。",
    ),
    "receipt_newest": Entry("Newest reply", "最新的回复"),
    "receipt_query": Entry("Looked for", "检索内容"),
    "receipt_made": Entry("Made", "时间"),
    "receipt_model": Entry("Model", "模型"),
    "receipt_embedder": Entry("Embedder", "向量模型"),
    "receipt_recall": Entry("Recall", "回想"),
    "receipt_first_token": Entry("First word after", "首字等待"),
    "milliseconds": Entry("{n} ms", "{n} 毫秒"),
    "degraded_timeout": Entry(
        "Recall ran out of time, so this reply was made from the recent rounds and pinned memories alone.",
        "回想超时，这条回复只用了最近几轮和置顶记忆。",
    ),
    "degraded_error": Entry(
        "Recall failed, so this reply was made from the recent rounds and pinned memories alone.",
        "回想出错，这条回复只用了最近几轮和置顶记忆。",
    ),
    "degraded_reindexing": Entry(
        "The memories are being read anew, so this reply was made from those found by words and those read already.",
        "正在重新读取记忆，这条回复只用了按词面找到的和已经读过的记忆。",
    ),
    "cross_loading": Entry(
        "The cross-encoder was still loading, so the order is the one without it.",
        "交叉编码器还在加载，排序未经它复核。",
    ),
    "cross_failed": Entry(
        "The cross-encoder is missing or broken, so the order is the one without it. The program's log says why.",
        "交叉编码器缺失或已损坏，排序未经它复核。原因见程序日志。",
    ),
    "cross_late": Entry(
        "The cross-encoder did not read in time, so the order is the one without it.",
        "交叉编码器未能及时读完，排序未经它复核。",
    ),
    "sections": Entry("What the prompt was made of", "提示词的组成"),
    "tokens_total": Entry("{n} token|{n} tokens", "{n} 个词元"),
    "section_items": Entry("{n} item|{n} items", "{n} 项"),
    "section_card": Entry("Character", "角色设定"),
    "section_history": Entry("History", "历史对话"),
    "section_persona": Entry("Persona", "画像"),
    "section_memories": Entry("Memories", "记忆"),
    "section_message": Entry("Your message", "你的消息"),
    "candidates": Entry("Memories considered", "考虑过的记忆"),
    "candidates_none": Entry("No memory was considered for this reply.", "这条回复没有考虑任何记忆。"),
    "rank": Entry("Rank {n}", "第 {n} 名"),
    "dense": Entry("meaning", "语义"),
    "sparse": Entry("words", "词面"),
    "fused": Entry("together", "合计"),
    "learned": Entry("learned", "学到"),
    "delivered": Entry("in the prompt", "已放入提示词"),
    "part_dense": Entry("its meaning", "自身语义"),
    "part_sparse": Entry("its words", "自身词面"),
    "part_key": Entry("the rest of its round, and what it answers", "同一轮的其他内容与所答的问题"),
    "part_context": Entry("the talk before", "此前的谈话"),
    "part_speaker": Entry("whom it is about", "说的是谁"),
    "part_dated": Entry("says when", "说明了时间"),
    "part_within": Entry("the time named", "所问的时间"),
    "part_asking": Entry("only asks", "只是发问"),
    "part_cross": Entry("read together", "对照阅读"),
    "part_newest": Entry("newer or older", "新旧先后"),
    "part_again": Entry("round already there", "同一轮已有"),
    "reason_rank": Entry("ranked too low", "名次靠后"),
    "reason_budget": Entry("no room left", "篇幅已满"),
    "reason_in_context": Entry("already in the history", "历史对话里已有"),
    "reason_other": Entry("left out", "未放入"),
    "cited_model": Entry("used", "用到了"),
    "cited_words": Entry("its words recur", "词句相似"),
    "citations": Entry("What the reply used", "回复用到了什么"),
    "citations_model": Entry("{n} of these memories, says the model.|{n} of these memories, says the model.", "模型说用到了其中 {n} 条。"),
    "citations_model_none": Entry("None of these memories, says the model.", "模型说一条也没用到。"),
    "citations_words": Entry(
        "{n} of these memories, by the words it shares with them. That is a guess: the model did not say.|"
        "{n} of these memories, by the words it shares with them. That is a guess: the model did not say.",
        "从词句看用到了 {n} 条。这是猜测，模型没有说明。",
    ),
    "citations_unknown": Entry("Not known: the model did not say, and the words tell nothing.", "不清楚：模型没有说明，词句也看不出来。"),
    "reinforced": Entry("reinforced", "得到强化"),
    "inhibited": Entry("inhibited", "受到抑制"),
    "erased": Entry("This memory has been erased.", "这条记忆已被清除。"),
    "prompt_sent": Entry("The prompt as it was sent", "发出的提示词原文"),
    "prompt_role": Entry("{role}, {n} character|{role}, {n} characters", "{role}，{n} 字"),
    # Errors, by code
    "error_chat_not_found": Entry(
        "This conversation does not exist or is not yours. Nothing was changed; choose one from the list.",
        "这段对话不存在，或不属于你。没有改动任何内容，请从列表中选择。",
    ),
    "error_message_empty": Entry("There is nothing to send yet.", "还没有要发送的内容。"),
    "error_message_too_long": Entry(
        "This message has {length} characters; {limit} is the most. It was not sent and stays in the box: shorten or split it.",
        "这条消息有 {length} 字，最多 {limit} 字。没有发送，仍在输入框里：请缩短或分成几条。",
    ),
    "error_storage_damaged": Entry(
        "The database is damaged ({reason}). Nothing was changed. “python -m storage backups” lists its copies, “python -m storage restore FILE” brings one back.",
        "数据库已损坏（{reason}）。没有任何改动。用 “python -m storage backups” 查看备份，用 “python -m storage restore 文件” 恢复其中一份。",
    ),
    "error_changed_elsewhere": Entry(
        "This conversation was changed in another tab. Nothing was done here; what you see now is how it stands.",
        "另一个标签页改动了这段对话。这里什么也没有做；现在显示的是最新的样子。",
    ),
    "error_cannot_undo": Entry("This cannot be taken back any more.", "已经无法撤销。"),
    "error_last_branch": Entry("This is the only branch of the chat; delete the chat instead.", "这是唯一的分支；要删就删除整个对话。"),
    "error_day_not_possible": Entry(
        "A story’s day may be from the year {first} to the year {last}.", "故事里的日期可以从公元 {first} 年到 {last} 年。"
    ),
    "error_nothing_to_continue": Entry("There is no reply to continue.", "没有可以接着写的回复。"),
    "error_name_too_long": Entry("A name may have {limit} characters. Nothing was changed.", "名称最多 {limit} 个字。没有任何改动。"),
    "error_memory_not_found": Entry(
        "This memory is not there any more: it was deleted, or made anew from a changed text. Nothing was changed.",
        "这条记忆已经不在了：它被删除了，或者因原文改动而重新生成。没有任何改动。",
    ),
    "error_memory_text_empty": Entry(
        "A memory without words cannot be kept; delete it instead. Nothing was changed.",
        "没有文字的记忆无法保存，请改为删除。没有任何改动。",
    ),
    "error_memory_text_too_long": Entry(
        "This has {length} characters; {limit} is the most. Nothing was changed.", "这里有 {length} 个字，最多 {limit} 个。没有任何改动。"
    ),
    "error_memory_is_said": Entry(
        "An episode is what was said. Edit, hide or delete the message itself, or keep the episode out of recall.",
        "情景就是说过的原话。请编辑、隐藏或删除那条消息，或者让它不被回想。",
    ),
    "error_memory_not_pinnable": Entry(
        "This cannot be pinned: what is known of you stands in every prompt anyway, and the story in none.",
        "这一项不能置顶：对你的了解本来就在每次提示里，故事则从不放入。",
    ),
    "error_task_not_waiting": Entry(
        "This task does not wait any more: it is being done, or was done. Nothing was changed.",
        "这项任务已不在等待：它正在进行或已经完成。没有任何改动。",
    ),
    "error_reply_running": Entry(
        "A reply is still being written in this conversation. Your text is kept: send it when the reply is done, or stop the reply.",
        "这段对话里的回复还在写。你的文字已保留：等回复写完再发，或先停止回复。",
    ),
    "error_nothing_to_tell": Entry("Nothing was said since the last chapter.", "上一章之后还没有说过什么。"),
    "error_nothing_to_answer": Entry("There is no message waiting for a reply.", "没有等待回复的消息。"),
    "error_model_unavailable": Entry(
        "Nobody answers at {model}. Nothing you wrote is lost. Check that the model runs, then ask for the reply again.",
        "{model} 没有应答。你写的内容都在。请确认模型正在运行，然后再请求回复。",
    ),
    "error_model_timeout": Entry(
        "{model} was silent for too long. What had come is kept. Ask for the reply again, or allow it more time.",
        "{model} 太久没有动静。已收到的部分保留了。请再次请求回复，或把等待时间调长。",
    ),
    "error_model_refused": Entry(
        "{model} refused the request. Nothing you wrote is lost. Check the key, the model's name and the address.",
        "{model} 拒绝了请求。你写的内容都在。请检查密钥、模型名和地址。",
    ),
    "error_model_busy": Entry(
        "{model} has too many requests at the moment. Nothing you wrote is lost. Wait a little, then ask again.",
        "{model} 目前请求太多。你写的内容都在。稍等一会儿再请求。",
    ),
    "error_model_failed": Entry(
        "{model} failed before the reply was done. What had come is kept. Ask for the reply again.",
        "{model} 在回复写完前出错了。已收到的部分保留了。请再次请求回复。",
    ),
    "error_answer_unreadable": Entry(
        "{model} gave no answer that could be read. Nothing was changed; it can be asked again.",
        "{model} 的回答无法读取。什么都没有改变，可以再次请求。",
    ),
    "error_storage_full": Entry(
        "The disk that holds the data folder is full. Nothing saved before was lost, and what you just wrote was not saved: free some space and send it again.",
        "数据文件夹所在的磁盘已满。以前保存的都在，刚写的没有存上：请腾出空间后重新发送。",
    ),
    "error_storage_failed": Entry(
        "The data folder could not be read or written. Nothing saved before was lost, and what you just wrote was not saved.",
        "数据文件夹无法读写。以前保存的都在，刚写的没有存上。",
    ),
    "error_erasure_unfinished": Entry(
        "What you erased is gone from here, but traces may still be on the disk. The next start of Keepsake removes them; free some disk space if it is full.",
        "你清除的内容在这里已不可见，但磁盘上可能还有痕迹。Keepsake 下次启动时会清除干净；如果磁盘已满，请先腾出空间。",
    ),
    "error_folder_busy": Entry(
        "The data folder is in use by another Keepsake. Nothing was changed. Close that one, or set KEEPSAKE_DATA_DIR to another folder.",
        "数据文件夹正被另一个 Keepsake 使用。没有改动任何内容。请关闭那一个，或把 KEEPSAKE_DATA_DIR 设为别的文件夹。",
    ),
    "error_folder_too_new": Entry(
        "This data folder was written by a newer Keepsake. Nothing was changed. Start the newer version, or set KEEPSAKE_DATA_DIR to another folder.",
        "这个数据文件夹由更新版本的 Keepsake 写成。没有改动任何内容。请启动新版本，或把 KEEPSAKE_DATA_DIR 设为别的文件夹。",
    ),
    "error_embedding_failed": Entry(
        "A text could not be indexed by meaning; it is kept, and found by its words.",
        "有一段文字无法按语义编入索引；它仍然保存着，可以按词找到。",
    ),
    "error_index_failed": Entry(
        "The memory index could not be used. Nothing is lost: it is built again from the database.",
        "记忆索引无法使用。没有丢失任何内容：它会从数据库重建。",
    ),
    "error_export_failed": Entry(
        "The chat could not be exported ({reason}). Nothing was changed.",
        "无法导出这段对话（{reason}）。没有改动任何内容。",
    ),
    "error_import_refused": Entry(
        "{file} was not imported. {where}: {reason}. Nothing was changed.",
        "{file}未被导入。{where}：{reason}。没有改动任何内容。",
    ),
    "error_unexpected": Entry(
        "Something went wrong that should not have; the server's log has the details. Nothing saved before was lost, and what you typed stays in the box.",
        "出了意料之外的问题，服务器日志里有详情。以前保存的都在，你输入的文字也还在输入框里。",
    ),
    **PERSONA,
    **REWRITING,
    **CONTROLS,
    **LEARNING,
    **ASKING,
    **PORTABLE,
}


def words(language: str) -> dict[str, str]:
    """Every sentence of one of `language.LANGUAGES`, by key."""
    return {key: getattr(entry, language) for key, entry in CATALOGUE.items()}
