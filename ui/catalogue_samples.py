"""The sample stories, and the tour of the page."""

from __future__ import annotations

from ui.entry import Entry

SAMPLES: dict[str, Entry] = {
    "samples": Entry("Sample stories", "样例故事"),
    "samples_means": Entry(
        "Two long stories we wrote to show what memory does. Their memory is built here, by the same engine as yours. They are marked as samples, and one click "
        "takes them away again.",
        "我们写的两个长故事，用来看看记忆能做什么。它们的记忆就在这里建立，用的是与你的对话相同的引擎。它们带有“样例”标记，一次点击就能移除。",
    ),
    "samples_welcome": Entry("See a story of two hundred rounds", "看一个两百轮的故事"),
    "sample": Entry("Sample", "样例"),
    "sample_means": Entry("This story came with Keepsake; nobody here said it.", "这个故事是 Keepsake 自带的，不是这里的人说的。"),
    "sample_add": Entry("Add", "添加"),
    "sample_adding": Entry("Adding …", "正在添加…"),
    "sample_open": Entry("Open", "打开"),
    "sample_remove": Entry("Remove the sample", "移除样例"),
    "sample_building": Entry("Building its memory: {part}", "正在建立记忆：{part}"),
    "sample_fills": Entry(
        "Nothing here yet: the memory of this sample is still being built, and this sheet fills as it goes on.",
        "这里暂时还空着：这个样例的记忆还在建立，建到哪里，这里就填到哪里。",
    ),
    "sample_built": Entry("Its memory is built.", "记忆已建好。"),
    "sample_failed": Entry(
        "Some of its memory could not be built. The list of memory work says why.", "有一部分记忆没能建成，记忆任务里写着原因。"
    ),
    "did_sample_removed": Entry("“{name}” is gone, with everything that was remembered of it.", "“{name}”已移除，连同关于它的全部记忆。"),
    "did_sample_binned": Entry(
        "You had gone on with “{name}”, so it was put into the bin and not erased.", "你已续写过“{name}”，所以它被放进了回收站，没有抹除。"
    ),
    "sample_again": Entry("Add it again", "重新添加"),
    # The tour
    "tour": Entry("Take the tour", "看看导览"),
    "tour_at": Entry("{n} of {most}", "第 {n} 步，共 {most} 步"),
    "tour_next": Entry("Next", "下一步"),
    "tour_back": Entry("Back", "上一步"),
    "tour_done": Entry("Done", "完成"),
    "tour_skip": Entry("Skip the tour", "跳过导览"),
    "tour_needs": Entry(
        "Open a conversation first, or add a sample story: the tour shows the page around it.",
        "请先打开一个对话，或添加一个样例故事：导览要在它周围进行。",
    ),
    "tour_keys": Entry("← → leaf, Esc ends", "← → 翻页，Esc 结束"),
    "tour_conversation": Entry("The conversation", "对话"),
    "tour_conversation_text": Entry(
        "Every round is kept, with its day and its number. Scroll back as far as you like: memory was made from these words and from nothing else.",
        "每一轮都留着，带着日期和轮次。往回翻到哪里都行：记忆只由这些话而来，别无其他。",
    ),
    "tour_persona": Entry("Persona", "画像"),
    "tour_persona_text": Entry(
        "What is known of the player, key by key. Each value shows the round it was said in and the words it was taken from; what held before is kept below it.",
        "对玩家的了解，一项一项列着。每项都标明是哪一轮说的、取自哪句话；以前的说法也留在下面。",
    ),
    "tour_story": Entry("Story", "故事"),
    "tour_story_text": Entry(
        "The story told back in chapters of thirty rounds. Every sentence leads to its round.",
        "故事被重述成章，每章三十轮。点任何一句，都能回到它出自的那一轮。",
    ),
    "tour_insights": Entry("Insights", "领会"),
    "tour_insights_text": Entry(
        "What the character makes of you, by convictions of its own. An insight needs at least two facts from different rounds, and names them.",
        "角色凭自己的看法对你的领会。一条领会至少要有两件不同轮次的事实，并且写明是哪些。",
    ),
    "tour_topics": Entry("Topics", "话题"),
    "tour_topics_text": Entry(
        "What each sitting was about, and how a matter goes on from one sitting to the next.",
        "每次见面聊了什么，一件事怎样从这一次延续到下一次。",
    ),
    "tour_memories": Entry("Memories, and forgetting", "记忆与遗忘"),
    "tour_memories_text": Entry(
        "Facts and whole rounds, each with its strength. What is called up grows stronger; beyond the capacity the weakest is forgotten: out of recall, never erased.",
        "事实和整轮对话，各有强弱。被想起的会变强；超出容量时，最弱的会被淡忘：不再想起，但不会抹掉。",
    ),
    "tour_receipt": Entry("Receipt", "回执"),
    "tour_receipt_text": Entry(
        "Write something, and here stands what the reply was made from: each memory that was considered, with its scores, and the prompt word for word. What was said "
        "before you came has none.",
        "写一句话，这里就会列出回复由什么写成：考虑过的每条记忆及其分数，还有逐字的提示词。你来之前说过的话没有回执。",
    ),
    "tour_asking": Entry("Ask the memory", "问问记忆"),
    "tour_asking_text": Entry(
        "A question about the story gets an answer with the rounds it stands in, or an honest “not in memory”. Ctrl+K does the same. Asking changes nothing.",
        "就故事提一个问题，答案会带上出处的轮次；记忆里没有，就如实说没有。按 Ctrl+K 也行。提问不会改变任何东西。",
    ),
    "tour_asking_text_touch": Entry(
        "Behind these dots: a question about the story gets an answer with the rounds it stands in, or an honest “not in memory”. Asking changes nothing.",
        "点这三个点就能提问：答案会带上出处的轮次；记忆里没有，就如实说没有。提问不会改变任何东西。",
    ),
    "tour_rewriting": Entry("Rewrite it, go on with it", "改写与续写"),
    "tour_rewriting_text": Entry(
        "Each message can be edited, made again, hidden, branched from or deleted, and memory follows; all of it can be undone. Now say something to {name}.",
        "每条消息都能修改、重写、隐藏、另开分支或删除，记忆会跟着变，全都能撤销。现在，对{name}说点什么吧。",
    ),
}
