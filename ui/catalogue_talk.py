"""The sentences of the page itself and of talking: shelf, masthead, welcome, transcript, composer, and the model that answers."""

from __future__ import annotations

from ui.entry import Entry

TALK: dict[str, Entry] = {
    # The shelf and the masthead
    "brand": Entry("Keepsake", "Keepsake"),
    "motto": Entry("Characters who remember", "会记得你的角色"),
    "new_chat": Entry("Begin a conversation", "开始新的对话"),
    "your_chats": Entry("Conversations", "对话"),
    "no_chats": Entry("None yet. Choose who to talk with.", "还没有对话。先选一位聊聊吧。"),
    "chat_rounds": Entry("{n} round|{n} rounds", "{n} 轮"),
    "talk_with": Entry("Talk with {name}", "和{name}聊天"),
    "language_name": Entry("English", "中文"),
    "theme": Entry("Light or dark", "浅色或深色"),
    "theme_system": Entry("System", "系统"),
    "theme_light": Entry("Light", "浅色"),
    "theme_dark": Entry("Dark", "深色"),
    "theme_system_means": Entry("As this device is set", "跟随设备的设置"),
    "theme_light_means": Entry("Always light", "始终浅色"),
    "theme_dark_means": Entry("Always dark", "始终深色"),
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
        "You can change your mind: ← → leaf through replies, ? shows every key, and what you say, change, delete or decide about a memory can be taken back. "
        "Only what is called “for good” cannot, and it asks first.",
        "可以反悔：← → 翻看不同的回复，? 列出所有快捷键；说过、改过、删过的话，对记忆做过的决定，都能撤销。只有写明“彻底”的做了就无法撤销，而且会先问你。",
    ),
    "guide_touch": Entry(
        "You can change your mind: rest a finger on a message to see what can be done with it; what you say, change, delete or decide about a memory can be "
        "taken back. Only what is called “for good” cannot, and it asks first.",
        "可以反悔：长按一条消息看看能做什么；说过、改过、删过的话，对记忆做过的决定，都能撤销。只有写明“彻底”的做了就无法撤销，而且会先问你。",
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
    "remembered": Entry("What was recalled", "想起了什么"),
    "status_stopped": Entry("You stopped this reply here.", "你让这条回复停在了这里。"),
    "status_cut": Entry("Cut short: the reply reached its length limit.", "回复达到长度上限，到此截断。"),
    "status_failed": Entry("The model broke off here. What had come is kept.", "模型中途断开，已写出的部分保留在此。"),
    "awaiting": Entry("Your message is kept, but it has no reply yet.", "你的消息已保存，但还没有收到回复。"),
    "ask_reply": Entry("Ask for the reply", "请求回复"),
    "empty_chat": Entry("Nothing has been said here yet.", "这里还没有人说过话。"),
    # The reply on its way
    "phase_recalling": Entry("{name} is remembering …", "{name}正在回想…"),
    "phase_reading": Entry("{name} is reading the conversation …", "{name}正在读前面的对话…"),
    "reads_from": Entry("The newest reply was given every word from here on", "最新的回复从这里起读到了原文"),
    "reads_from_means": Entry(
        "What stands above did not fit the model’s window, or the part of it that history may have. It came to the reply as memories: the receipt says which.",
        "上面的内容放不进模型的窗口，或其中留给历史的部分。它以记忆的方式进入回复，回执里写着是哪些。",
    ),
    "phase_thinking": Entry("{name} is thinking …", "{name}正在思考…"),
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
    "model_of_ours": Entry("{name} (comes with Keepsake)", "自带的 {name}"),
    "model_is_local": Entry("It runs on this computer.", "它在这台电脑上运行。"),
    "model_is_small": Entry(
        "{model} answers: a small demo model on this computer, often beside the point.",
        "{model} 在回答：这台电脑上的小型演示模型，常常答非所问，中文尤其弱。",
    ),
    "own_model": Entry("Use your own model", "使用自己的模型"),
}
