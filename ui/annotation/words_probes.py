"""Sentences of the workbench: probes and their runs."""

from __future__ import annotations

from ui.annotation.words_regular import REGULAR_WORDS
from ui.annotation.words_settings import SETTING_WORDS
from ui.entry import Entry

PROBE_WORDS: dict[str, Entry] = {
    "probes": Entry("Probes", "探针"),
    "probes_mean": Entry(
        "Small things told in passing and asked for many rounds later: does memory bring them back?",
        "顺口说的小事，许多轮之后再问：记忆能不能想起来？",
    ),
    "probes_open": Entry("Open the probes", "打开探针"),
    "probe_table": Entry("Universal probe table", "通用探针表"),
    "probes_none": Entry("The table is empty.", "表是空的。"),
    "probes_ours": Entry("Take our thirty items, in both languages", "采用我们的三十项（中英文）"),
    "probes_check": Entry("Check that they are independent", "检查是否彼此独立"),
    "probes_apart": Entry("No two items are about one thing, as far as their likeness shows.", "按相似度看，没有两项说的是同一件事。"),
    "probes_close": Entry("{n} pair may be about one thing:|{n} pairs may be about one thing:", "有 {n} 对可能说的是同一件事："),
    "probe": Entry("Probe", "探针"),
    "probe_new": Entry("New item", "新的一项"),
    "probe_topic": Entry("Topic", "主题"),
    "probe_p": Entry("Told", "说的话"),
    "probe_q": Entry("Asked later", "之后的提问"),
    "probe_a": Entry("Answer", "参考答案"),
    "probe_remove_sure": Entry(
        "Delete “{topic}” from the table? Runs that were made keep it.", "从表中删除“{topic}”？已做的测试不受影响。"
    ),
    "runs": Entry("Runs", "测试"),
    "runs_none": Entry("None yet.", "还没有。"),
    "runs_mean": Entry(
        "The dialogue is lived through once for each setting. Universal: every item is told at places spread over its beginning and asked for so many rounds later; "
        "recall@k is the share of items of which a memory is among the first k. Regular: so many rounds behind the probe’s memory point, or after the "
        "whole dialogue, the reply is chosen from the first nine memories recalled, without the dialogue. Shares with their 95 % interval (Wilson).",
        "每种设置把整段对话经历一遍。通用探针：各项分散在开头部分说出，若干轮之后再问；recall@k 为前 k 条回忆里有这一项的比例。常规探针：在记忆点之后若干轮，"
        "或经历完整段对话后，不看对话，只凭前九条回忆选出回答。比例附 95 % 区间（Wilson）。",
    ),
    "how_near": Entry(
        "No reply was made or judged. “Nearness”: the mean likeness (cosine) of the answer to the most like of what was recalled; 0.8 means little with "
        "the bundled embedder.",
        "没有生成或评判回复。“接近度”：答案与回忆中最相近一条的平均余弦相似度；用内置嵌入模型时 0.8 并不说明什么。",
    ),
    "how_judged": Entry("Replies made by {voice}, judged 0 to 5 by {judge}.", "回复由 {voice} 生成，由 {judge} 评 0 到 5 分。"),
    "how_rule": Entry(
        "Chosen by a rule, without a language model: the option that the memories say most of, by words and meaning. It says how much of the options is recalled, "
        "not how well a model would answer.",
        "不用语言模型，由规则选择：按用词和意思，选回忆说到最多的一项。它说明选项有多少被想起，不说明模型会答得多好。",
    ),
    "how_model": Entry("Chosen by {model}.", "由 {model} 选择。"),
    "how_reader": Entry("Memory was made by {model}.", "记忆由 {model} 整理。"),
    "how_first": Entry("Told from round {n} on.", "从第 {n} 轮起说出。"),
    "run_only": Entry("Items", "探针"),
    "run_all_items": Entry("all in the dialogue’s language", "与对话同语言的全部"),
    "run_first": Entry("Told from this round on (one alone is told directly ahead of it)", "从这一轮起说出（只有一个时紧接在这一轮之前）"),
    "kind_universal": Entry("Universal table", "通用探针表"),
    "kind_regular": Entry("Regular probes", "常规探针"),
    "run_kind": Entry("What is asked", "测试内容"),
    "run_accuracy": Entry("Right replies", "选对"),
    "run_recalled": Entry("Point among the nine", "前九条中有此记忆点"),
    "run_trouble": Entry("Nothing chosen (counts as wrong)", "未选出（算错）"),
    "trouble_refused": Entry("{n} failed or refused", "{n} 次失败或拒答"),
    "trouble_invalid": Entry("{n} not one of the four", "{n} 次不在四项之内"),
    "trouble_reply_failed": Entry("{n} without a reply", "{n} 次没有回复"),
    "trouble_not_judged": Entry("{n} not judged", "{n} 次未能评判"),
    "run_chance": Entry("chance", "随机"),
    "run_no_memory": Entry("without memory", "没有记忆"),
    "run_score": Entry("Judged, 0–5", "评分 0–5"),
    "run_unjudged": Entry("Not judged", "未评判"),
    "run_replies": Entry("Make the character’s replies, and have them judged", "生成角色的回复并评判"),
    "run_no_judge": Entry(
        "Replies are judged where a language model of your own talks and another is chosen as judge (Models). Without them likeness stands in for it.",
        "有自选的对话模型和评审模型（见“模型”）时才能评判回复；没有时以相似度代替。",
    ),
    "run_sends": Entry(
        "{voice} makes the replies, and reads the dialogue for them; {judge} judges them, and reads question, answer and reply.",
        "{voice} 生成回复，会读到这段对话；{judge} 评分，会读到问题、参考答案和回复。",
    ),
    "run_model_changed": Entry(
        "stopped: other models serve now than when it was begun; it goes on when they are back",
        "已停：现在的模型与开始时不同，换回后可继续",
    ),
    "plot_recall": Entry("recall@9 by distance in rounds", "不同间隔轮数的 recall@9"),
    "plot_score": Entry("Mean judged score by distance in rounds", "不同间隔轮数的平均评分"),
    "plot_accuracy": Entry("Right replies by distance in rounds", "不同间隔轮数的选对比例"),
    "run_whole": Entry("whole dialogue", "整段对话"),
    "run_whole_too": Entry("After the whole dialogue too", "也在整段对话之后提问"),
    "run_distances_mean": Entry(
        "Counted from the last round that tells the memory point: so many whole rounds lie behind it when the line is said, and of the dialogue no more is "
        "remembered. A probe whose point is too near the end is left out at that distance, and counted.",
        "从讲到记忆点的最后一轮算起：提问时其后正好有这么多轮，更后面的对话不在记忆里。记忆点离结尾太近的探针在该间隔不问，另行计数。",
    ),
    "run_left_out": Entry("Left out", "未提问"),
    "run_too_short": Entry("{n}: the dialogue ends before that|{n}: the dialogue ends before that", "{n} 个：对话没有那么长"),
    "labels": Entry("People’s own labels", "人工评分"),
    "labels_mean": Entry(
        "Whoever reviews may give judged replies their own 0 to 5, before seeing the judge’s. {n} given.|Whoever reviews may give judged replies their own 0 to 5, "
        "before seeing the judge’s. {n} given.",
        "审核员可以在看不到评审模型评分的情况下自己评 0 到 5 分。已有 {n} 个。",
    ),
    "label_give": Entry("Give labels", "开始评分"),
    "label_done": Entry("You have given {n}. Keys 0 to 5.", "你已评 {n} 个。按键 0 到 5。"),
    "label_reply": Entry("Reply", "回复"),
    "label_scale": Entry(
        "5 all of the answer · 4 a detail is missing · 3 about half · 2 a part, not what matters · 1 the same thing, nothing right · 0 something else, or not known",
        "5 全对 · 4 缺个细节 · 3 约一半 · 2 只有一部分，缺要点 · 1 说的是同一件事但都不对 · 0 说别的或不知道",
    ),
    "label_all": Entry("You have labelled every judged reply of this run.", "这次测试的回复你都评完了。"),
    "label_pearson": Entry("Pearson’s r, judge and people", "Pearson r（评审模型与人）"),
    "label_kappa": Entry("Cohen’s κ, judge and people", "Cohen κ（评审模型与人）"),
    "probe_table_mean": Entry(
        "An item is checked when two people who have not written or changed it accept it, and nobody objects. A change makes its reviews void.",
        "两名没有写过或改过它的人都认可且无人反对，这一项才算核对过。改动后需重新核对。",
    ),
    "probes_checked": Entry("{n} of {of} checked", "已核对 {n}/{of}"),
    "probe_checked": Entry("checked", "已核对"),
    "probe_blind": Entry("What others said of it is shown once you have reviewed it.", "你审核之后才会显示他人的意见。"),
    "probe_objected": Entry("objected to", "有异议"),
    "probe_accepted_n": Entry("{n} of 2 accept it", "{n}/2 人认可"),
    "probe_accept": Entry("Accept", "认可"),
    "probe_unaccept": Entry("You accept it; take back", "你已认可；撤回"),
    "probe_object": Entry("Object", "反对"),
    "probe_unobject": Entry("You object; take back", "你已反对；撤回"),
    "probe_object_why": Entry("What is wrong with it", "有什么问题"),
    "probe_yours": Entry("you wrote or changed it", "你写过或改过"),
    "run_new": Entry("New run", "新测试"),
    "run_item": Entry("Dialogue", "对话"),
    "run_distances": Entry("Distances in rounds", "间隔轮数"),
    "run_settings": Entry("Settings of memory", "记忆设置"),
    "run_begin": Entry("Run", "开始测试"),
    "run_stop": Entry("Stop", "停止"),
    "run_on": Entry("Go on", "继续"),
    "run_found": Entry("{n} of {of} asked", "已问 {n}/{of}"),
    "run_living": Entry("{setting}: living through the dialogue, task {n} of {of}", "{setting}：正在经历对话，第 {n}/{of} 项任务"),
    "run_asking": Entry("{setting}: asking, {n} of {of}", "{setting}：正在提问，{n}/{of}"),
    "run_is_waiting": Entry("waits", "等待"),
    "run_is_running": Entry("runs", "进行中"),
    "run_is_done": Entry("done", "完成"),
    "run_is_stopped": Entry("stopped", "已停止"),
    "run_is_failed": Entry("failed; the reason is in the log", "失败，原因见日志"),
    "run_setting": Entry("Setting", "设置"),
    "run_distance": Entry("Distance", "间隔"),
    "run_near": Entry("Nearness", "接近度"),
    # As a file
    "file_table": Entry("Universal probe table (CSV)", "通用探针表（CSV）"),
    "table_take": Entry("Take in a table (CSV)", "导入表格（CSV）"),
    "table_mean": Entry(
        "A row for each item. Rows that you add become new items, with you as their writer; rows that you change change theirs, which makes reviews void; rows that you "
        "leave out stay here. All of a file is taken in, or nothing.",
        "每行一项。新加的行成为新的一项，由你写成；改动的行会改动那一项，已有审核作废；文件里没有的项仍保留。整个文件要么全部导入，要么都不导入。",
    ),
    "table_added": Entry("{n} item added.|{n} items added.", "新增 {n} 项。"),
    "table_changed": Entry("{n} changed.", "改动 {n} 项。"),
    "table_known": Entry("{n} already there.", "{n} 项已在表中。"),
    "error_table_unreadable": Entry(
        "The file cannot be read as a table (row {row}; 0 is all of it). Save it as “CSV UTF-8”. Nothing was taken in.",
        "无法把文件读作表格（第 {row} 行，0 指整个文件）。请存为“CSV UTF-8”。没有导入任何内容。",
    ),
    "error_table_large": Entry("The file is larger than {limit} MB. Nothing was taken in.", "文件超过 {limit} MB。没有导入任何内容。"),
    "error_table_columns": Entry(
        "The first row must name the columns language, topic, p, q and a (id and version may stand beside them), each once. Look at: {columns}. Nothing was taken in.",
        "第一行须写明各列：language、topic、p、q、a（还可以有 id 和 version），各一次。请检查：{columns}。没有导入任何内容。",
    ),
    "error_table_cells": Entry(
        "Row {row} has more cells than the first row. Nothing was taken in.", "第 {row} 行的单元格多于第一行。没有导入任何内容。"
    ),
    "error_table_cell_missing": Entry(
        "Row {row}, column {column}: it is empty. Nothing was taken in.", "第 {row} 行，{column} 列：是空的。没有导入任何内容。"
    ),
    "error_table_cell_long": Entry(
        "Row {row}, column {column}: it is too long; {limit} characters are the most. Nothing was taken in.",
        "第 {row} 行，{column} 列：太长，最多 {limit} 字。没有导入任何内容。",
    ),
    "error_table_cell_wrong": Entry(
        "Row {row}, column {column}: this cannot be so. A language is en or zh; id and version stay as they were written, or empty. Nothing was taken in.",
        "第 {row} 行，{column} 列：不能这样填。语言是 en 或 zh；id 和 version 保持原样或留空。没有导入任何内容。",
    ),
    "error_table_twice": Entry(
        "Rows {other} and {row} have the same id. Nothing was taken in.", "第 {other} 行与第 {row} 行 id 相同。没有导入任何内容。"
    ),
    "error_table_stale": Entry(
        "Row {row}: this item was changed here since the file was written, or the row names no version. Take the table out anew. Nothing was taken in.",
        "第 {row} 行：文件写出之后这一项在这里改过，或这一行没有写版本。请重新导出表格。没有导入任何内容。",
    ),
    "error_table_full": Entry("A table has {limit} items at most. Nothing was taken in.", "一张表最多 {limit} 项。没有导入任何内容。"),
    **SETTING_WORDS,
    **REGULAR_WORDS,
}
