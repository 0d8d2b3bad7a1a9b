"""Sentences of the workbench: the outline of a dialogue, and what the engine suggests."""

from __future__ import annotations

from ui.entry import Entry

OUTLINE_WORDS: dict[str, Entry] = {
    "outline": Entry("Outline", "梗概"),
    "outline_means": Entry(
        "The story as the program tells it from the dialogue, by rule and without a language model. It can be wrong; what counts is what is said.",
        "程序按规则从对话中讲出的故事，不用语言模型。可能有误，以原文为准。",
    ),
    "outline_arc": Entry("Part: messages {from} to {to}", "大段：第 {from} 至 {to} 条"),
    "outline_chapter": Entry("Messages {from} to {to}", "第 {from} 至 {to} 条"),
    "outline_making": Entry("The program is reading the dialogue: {done} of {all} steps.", "程序正在读这段对话：{done}/{all} 步。"),
    "outline_waits": Entry("The program will read the dialogue as soon as it can.", "程序会尽快读这段对话。"),
    "outline_failed": Entry(
        "The outline could not be made; the reason is in the log. It is tried again when you come back.",
        "未能做出梗概，原因见日志。下次打开时会再试。",
    ),
    "outline_none": Entry("There is no memory engine here that could make an outline.", "这里没有能做梗概的记忆引擎。"),
    "outline_empty": Entry("Nothing in this dialogue could be told as a story.", "这段对话里没有可讲成故事的内容。"),
    "suggestions": Entry("Suggestions", "建议"),
    "suggestions_mean": Entry(
        "Facts that the program finds by rule. Many are not worth remembering. A point made from one says so for good, with what you changed.",
        "程序按规则找到的事实，许多并不值得记住。由建议做成的记忆点会一直注明，并记下你改了什么。",
    ),
    "suggestions_through": Entry("There is no suggestion left.", "没有其他建议了。"),
    "suggestion_n": Entry("{at} of {all}", "第 {at} 条，共 {all} 条"),
    "suggestion_accept": Entry("Take it", "采用"),
    "suggestion_word": Entry("Word it anew", "改写"),
    "suggestion_dismiss": Entry("Put away", "不用"),
    "suggestion_dismissed": Entry("The suggestion is put away.", "已放弃这条建议。"),
    "suggestion_next": Entry("Next suggestion", "下一条建议"),
    "suggestion_previous": Entry("Previous suggestion", "上一条建议"),
    "suggested": Entry("suggested", "建议"),
    "suggested_changed": Entry("suggested, changed", "建议，已改"),
    "suggest_switch": Entry("Offer suggestions of the program", "提供程序的建议"),
    "suggest_switch_means": Entry(
        "Only where one person annotates each dialogue: two who work blind would be led to the same. What was made from a suggestion is counted apart.",
        "仅限每段对话由一人标注的项目：两人独立标注时会被引向同样的结果。由建议做成的记忆点分开统计。",
    ),
    "share": Entry(
        "Of {n} gold point {as_is} was suggested by the program and stands as it was, {changed} was suggested and changed.|"
        "Of {n} gold points {as_is} were suggested by the program and stand as they were, {changed} were suggested and changed.",
        "{n} 个审定的记忆点中，{as_is} 个由程序建议且未改，{changed} 个由程序建议并改过。",
    ),
    "field_suggestions": Entry("Suggestions", "建议"),
    "key_suggestion": Entry("take, word anew, put away the suggestion", "采用、改写、不用这条建议"),
    "key_suggestions": Entry("previous, next suggestion", "上一条、下一条建议"),
    "key_outline": Entry("in the skim view: next, previous piece of the outline", "略读时：梗概的下一段、上一段"),
}
