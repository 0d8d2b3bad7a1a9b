"""Sentences of the workbench: settings of memory that probe runs compare."""

from __future__ import annotations

from ui.entry import Entry

SETTING_WORDS: dict[str, Entry] = {
    "settings_mean": Entry(
        "The dialogue is lived through once for each. A setting is called by its name, or by what differs from the program as it comes.",
        "每个设置都要把对话经历一遍。设置以其名称相称；没有名称时，以它与程序默认的不同之处相称。",
    ),
    "setting_add": Entry("Add a setting like the last", "照最后一个再加一个设置"),
    "setting_remove": Entry("Remove this setting", "去掉这个设置"),
    "setting_more": Entry("More settings", "更多设置"),
    "setting_own_name": Entry("Name (may be left empty)", "名称（可不填）"),
    "setting_ordinary": Entry("as it comes", "程序默认"),
    "setting_acts": Entry(
        "How it forgets shows where more is told than is kept: facts and insights beyond it go, while rounds as they were said are never forgotten and can be recalled "
        "still. How it recalls decides what is reinforced, and so what is forgotten.",
        "只有记下的事实和领会多于可保留的数目时，遗忘方式才有差别；原话的各轮不会淡忘，仍能想起。回忆方式决定哪些记忆得到强化，从而影响遗忘。",
    ),
    # What differs
    "setting_capacity": Entry("{value} memory kept|{value} memories kept", "保留 {value} 条记忆"),
    "setting_capacity_tokens": Entry("{value} token kept|{value} tokens kept", "保留 {value} 词元"),
    "setting_k": Entry("k\u00a0{value}", "k\u00a0{value}"),
    "setting_forgetting": Entry("forgets: {value}", "遗忘：{value}"),
    "setting_alpha": Entry("α\u00a0{value}", "α\u00a0{value}"),
    "setting_beta": Entry("β\u00a0{value}", "β\u00a0{value}"),
    "setting_gamma": Entry("γ\u00a0{value}", "γ\u00a0{value}"),
    "setting_factor": Entry("inhibition ×{value}", "抑制 ×{value}"),
    "setting_recipe": Entry("recalls: {value}", "回忆：{value}"),
    "setting_insights": Entry("insights: {value}", "领会：{value}"),
    "setting_story": Entry("story: {value}", "故事：{value}"),
    "setting_reading": Entry("reads: {value}", "读取：{value}"),
    # Values
    "forgetting_keepsake": Entry("the program’s own", "程序自己的"),
    "forgetting_stored": Entry("MOOM, inhibition stays", "MOOM，抑制保留"),
    "forgetting_one-round": Entry("MOOM, inhibition for a round", "MOOM，抑制仅限当轮"),
    "forgetting_no-inhibition": Entry("MOOM without inhibition", "MOOM，不抑制"),
    "forgetting_ebbinghaus": Entry("Ebbinghaus’ curve", "艾宾浩斯曲线"),
    "forgetting_fifo": Entry("first in, first out", "先进先出"),
    "forgetting_none": Entry("nothing is forgotten", "什么都不忘"),
    "recipe_fused": Entry("the program’s own", "程序自己的"),
    "recipe_plain": Entry("meaning and words, nothing else", "只凭语义与词面"),
    "recipe_dense": Entry("meaning alone", "只凭语义"),
    "recipe_sparse": Entry("words alone", "只凭词面"),
    "recipe_without": Entry("without {part}", "不用{part}"),
    "recipe_part_dense": Entry("meaning", "语义"),
    "recipe_part_sparse": Entry("words", "词面"),
    "recipe_part_facts": Entry("what the round’s facts say", "同轮事实"),
    "recipe_part_answers": Entry("the question that it answers", "所答的问题"),
    "recipe_part_context": Entry("the talk before", "此前的谈话"),
    "recipe_part_near": Entry("weighing whether the question goes on with that talk", "判断问题是否接着此前的谈话"),
    "recipe_part_feedback": Entry("a second look by what was found first", "按初步结果再找一遍"),
    "recipe_part_speaker": Entry("whom it is about", "说的对象"),
    "recipe_part_dated": Entry("whether it says when", "说明的时间"),
    "recipe_part_within": Entry("the time named", "所问的时间"),
    "recipe_part_asking": Entry("holding back what only asks", "降低只是发问的"),
    "recipe_part_again": Entry("holding back more of one round", "降低同一轮已有的"),
    "recipe_part_matter": Entry("what the player told of the matter asked", "问到的玩家之事"),
    "recipe_part_cross": Entry("the cross-encoder", "对照阅读"),
    "recipe_part_newest": Entry("putting the newer of two first", "新旧取舍"),
    "recipe_part_events": Entry("times named by what happened", "以事件指时间"),
    "insights_on": Entry("drawn", "形成"),
    "insights_off": Entry("none", "不形成"),
    "story_paper": Entry("long (chapters of 30 rounds)", "长故事（30 轮一章）"),
    "story_short": Entry("short (chapters of 12 rounds)", "短故事（12 轮一章）"),
    "reading_house": Entry("the model that is set for memory", "记忆所用的模型"),
    "reading_llm": Entry("the model that is set for memory", "记忆所用的模型"),
    "reading_grounded": Entry("by rule, without a model", "按规则，不用模型"),
    # Fields
    "field_capacity": Entry("Memories kept", "保留的记忆数"),
    "field_capacity_tokens": Entry("Tokens kept (0: no limit)", "保留的词元数（0 不限）"),
    "field_k": Entry("k, memories recalled", "k，回忆条数"),
    "field_forgetting": Entry("What is forgotten by", "遗忘方式"),
    "field_alpha": Entry("α, weight of being new", "α，新近的权重"),
    "field_beta": Entry("β, weight of being recalled", "β，被回忆的权重"),
    "field_gamma": Entry("γ, how fast newness goes", "γ，新近消退的快慢"),
    "field_factor": Entry("What an inhibition leaves (0 to 1)", "一次抑制后剩下的（0 到 1）"),
    "field_recipe": Entry("What is recalled by", "回忆方式"),
    "field_insights": Entry("Insights", "领会"),
    "field_story": Entry("The story is divided for", "故事划分"),
    "field_reading": Entry("Who reads for memory", "由谁读取"),
    # Refusals
    "error_setting_refused": Entry(
        "Setting {n}: “{field}” cannot be so. Nothing was begun.", "设置 {n}：“{field}”不能这样填。没有开始测试。"
    ),
    "error_setting_range": Entry(
        "Setting {n}: “{field}” is a number from {least} to {most}. Nothing was begun.",
        "设置 {n}：“{field}”应是 {least} 到 {most} 的数。没有开始测试。",
    ),
    "error_setting_idle": Entry(
        "Setting {n}: with this way of forgetting “{field}” does nothing; leave it as it comes. Nothing was begun.",
        "设置 {n}：用这种遗忘方式时，“{field}”不起作用，请保持默认。没有开始测试。",
    ),
    "error_settings_alike": Entry("Settings {other} and {n} are the same. Nothing was begun.", "设置 {other} 与 {n} 相同。没有开始测试。"),
    "error_settings_named_alike": Entry(
        "Settings {other} and {n} differ, and both are called “{name}”. Call one of them otherwise. Nothing was begun.",
        "设置 {other} 与 {n} 不同，却都叫“{name}”。请给其中一个换个名称。没有开始测试。",
    ),
    "error_setting_no_reader": Entry(
        "Setting {n}: no language model is set for memory (Models), so there is nothing to choose in who reads. Nothing was begun.",
        "设置 {n}：没有为记忆设定语言模型（见“模型”），由谁读取无从选择。没有开始测试。",
    ),
    "error_setting_no_insights": Entry(
        "Setting {n}: the character of this dialogue draws no insights anyway; only those that come with the program do here. Nothing was begun.",
        "设置 {n}：这段对话的角色本来就不形成领会；这里只有程序自带的角色会。没有开始测试。",
    ),
    "error_setting_no_replies": Entry(
        "Setting {n}: how the story is divided shows in replies alone, and this run makes none. Nothing was begun.",
        "设置 {n}：故事划分只影响回复，而这次测试不生成回复。没有开始测试。",
    ),
    "error_setting_no_cross_encoder": Entry(
        "Setting {n}: no cross-encoder is set, so there is none to leave out. Nothing was begun.",
        "设置 {n}：没有设定交叉编码器，没有可以去掉的。没有开始测试。",
    ),
}
