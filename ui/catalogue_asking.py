"""The sentences about asking the memory."""

from __future__ import annotations

from ui.entry import Entry

ASKING: dict[str, Entry] = {
    "asking": Entry("Ask the memory", "问问记忆"),
    "asking_means": Entry(
        "Ask about the story. The answer comes from what was said and noted here, with the rounds it stands in. Asking changes nothing.",
        "问问故事里的事。答案来自这里说过的话和记下的事，并注明在第几轮。提问不会改变任何东西。",
    ),
    "asking_box": Entry("Your question", "想问什么"),
    "asked_ask": Entry("Ask", "提问"),
    "asked_stop": Entry("Stop", "停止"),
    "asked_again": Entry("Ask again", "再问一次"),
    "asked_earlier": Entry("Asked before", "之前问过的"),
    "asked_waiting": Entry("Waiting for its turn …", "排队中…"),
    "asked_finding": Entry("Looking for what bears on it …", "正在找相关的记忆…"),
    "asked_reading": Entry("The model is reading what was found …", "模型正在读找到的内容…"),
    "asked_choosing": Entry("Choosing sentences …", "正在挑选句子…"),
    "asked_done": Entry("Answered.", "已回答。"),
    "asked_stopped": Entry("Stopped.", "已停止。"),
    "asked_failed": Entry("It could not be answered.", "没能回答。"),
    "asked_said": Entry("said on {day}", "{day} 说的"),
    "asked_besides": Entry("{n} more thing that bears on it|{n} more things that bear on it", "另有 {n} 条相关内容"),
    "asked_notes": Entry("{n} note it was read from|{n} notes it was read from", "依据的 {n} 条笔记"),
    "asked_missing": Entry("Not in memory.", "记忆里没有。"),
    "asked_nearest": Entry("Nearest, but no answer", "最接近的，但不是答案"),
    "asked_by_sentences": Entry(
        "Sentences as they stand in memory: those that bear on it most. No language model has read them.",
        "记忆里与它最相关的原句，没有经过语言模型阅读。",
    ),
    "asked_by_model": Entry("Read and answered by {model}.", "由 {model} 阅读并回答。"),
    "asked_model_failed": Entry(
        "The language model {model} did not answer, so these are sentences as they stand.",
        "语言模型 {model} 没有给出回答，下面是记忆里的原句。",
    ),
    "unanswered_model_unavailable": Entry("Nobody answers at its address.", "它的地址没有应答。"),
    "unanswered_model_timeout": Entry("It took too long.", "它用的时间太长。"),
    "unanswered_model_refused": Entry("It refused the request.", "它拒绝了请求。"),
    "unanswered_model_wordless": Entry("It said nothing.", "它什么也没说。"),
    "unanswered_peer_refused": Entry("Its address is one that is never asked.", "它的地址是从不访问的那一类。"),
    "unanswered_model_busy": Entry("It is overloaded.", "它太忙了。"),
    "unanswered_model_failed": Entry("It broke off.", "它中途断了。"),
    "unanswered_answer_unreadable": Entry("What it said could not be read.", "它说的内容读不懂。"),
    "asked_unread": Entry("Not everything that was said has been remembered yet.", "说过的话还没有全部记下来。"),
    "asked_outdated": Entry(
        "What this was read from has changed since, or another branch is open, so it is not shown.",
        "它所依据的内容后来变了，或者打开了另一个分支，所以不再显示。",
    ),
    "missing_nothing": Entry("Nothing remembered here bears on this question.", "这里没有与这个问题有关的记忆。"),
    "missing_weak": Entry("What is remembered does not answer this question.", "记得的内容不能回答这个问题。"),
    "missing_uncited": Entry(
        "The model said something, but nothing in memory carries it; take it for a guess.", "模型说了些话，但记忆里没有依据，只能当作猜测。"
    ),
    "error_question_too_long": Entry(
        "This question has {length} characters; {limit} is the most. Shorten it.", "这个问题有 {length} 字，最多 {limit} 字。请缩短一些。"
    ),
    "error_question_gone": Entry("This question is not known any more. Ask it again.", "这个问题已经不在了，请再问一次。"),
    "error_questions_waiting": Entry(
        "Some questions are not answered yet. Wait for them or stop one, and ask again.", "还有问题没有回答完。请等一等，或者停下一个再问。"
    ),
    "use_answer": Entry("Answers to questions", "回答提问"),
}
