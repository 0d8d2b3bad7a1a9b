"""Sentences of the workbench: probes and their runs."""

from __future__ import annotations

from ui.entry import Entry

PROBE_WORDS: dict[str, Entry] = {
    "probes": Entry("Probes", "探针"),
    "probes_mean": Entry(
        "Small things told in passing and asked for many rounds later: does memory bring them back?",
        "顺口说的小事，许多轮之后再问：记忆能不能想起来？",
    ),
    "probes_open": Entry("Table and runs", "探针表与测试"),
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
        "The dialogue is lived through once for each setting, with every item told at places spread over its beginning. recall@k: the share of items of which "
        "a memory is among the first k when they are asked for, with its 95 % interval (Wilson). No reply is made or judged. "
        "“Nearness”: the mean likeness (cosine) of the answer to the most like of what was recalled; 0.8 means little with the bundled embedder.",
        "每种设置把整段对话经历一遍，各项分散在开头部分说出。recall@k：提问时前 k 条回忆里有这一项的比例，附 95 % 区间（Wilson）。不生成也不评判回复。"
        "“接近度”：答案与回忆中最相近一条的平均余弦相似度；用内置嵌入模型时 0.8 并不说明什么。",
    ),
    "run_new": Entry("New run", "新测试"),
    "run_item": Entry("Dialogue", "对话"),
    "run_distances": Entry("Distances in rounds", "间隔轮数"),
    "run_settings": Entry(
        "Settings, one a line: memories kept, tokens kept (0: no limit), k", "设置，每行一个：保留的记忆数，保留的词元数（0 不限），k"
    ),
    "setting_name": Entry("{capacity} kept, {tokens} tokens, k {k}", "保留 {capacity} 条，{tokens} 词元，k {k}"),
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
}
