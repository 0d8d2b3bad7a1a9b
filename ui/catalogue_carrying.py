"""The sentences of memory that goes from one conversation to another."""

from __future__ import annotations

from ui.entry import Entry

CARRYING: dict[str, Entry] = {
    "carrying": Entry("Memory: take along, export, import", "记忆：带走、导出、导入"),
    "carrying_begin": Entry("New conversation", "新对话"),
    "carrying_export": Entry("Export", "导出"),
    "carrying_import": Entry("Import", "导入"),
    "carrying_begin_means": Entry(
        "A new conversation that remembers this one from its first line. What comes along is kept there as its own: it is recalled, edited, forgotten and deleted there, "
        "and this conversation stays as it is. Rounds as they were said stay here.",
        "开始一段从第一句起就记得这里的新对话。带过去的记忆归新对话所有，在那里被想起、修改、淡忘和删除；这段对话保持原样。逐句的原话留在这里。",
    ),
    "carrying_with": Entry("With", "和谁"),
    "carrying_do_begin": Entry("Begin", "开始"),
    "carrying_export_means": Entry(
        "{n} thing that is remembered here, with when it was said, its words, its pins and where it comes from.|"
        "{n} things that are remembered here, each with when it was said, its words, its pins and where it comes from.",
        "这里记得的 {n} 条，每条都带着说的时间、原话、是否常驻和出处。",
    ),
    "carrying_import_means": Entry(
        "A file of memory that was exported here or elsewhere. You choose what of it comes along; it is a step that can be undone.",
        "从这里或别处导出的记忆文件。由你选择带入哪些；可以撤销。",
    ),
    "carrying_do_import": Entry("Bring along", "带入"),
    "carrying_found": Entry(
        "What {name} remembers of “{title}”: {n} thing.|What {name} remembers of “{title}”: {n} things.",
        "{name}记得的《{title}》：{n} 条。",
    ),
    "carrying_found_other": Entry(
        "What {name} remembers of “{title}”: {n} thing. It is another character here, so only what you told about yourself and yours can come along.|"
        "What {name} remembers of “{title}”: {n} things. It is another character here, so only what you told about yourself and yours can come along.",
        "{name}记得的《{title}》：{n} 条。这里是另一个角色，只有你讲的关于自己和身边人事的能带过来。",
    ),
    "carried_kind_fact": Entry("Facts", "事实"),
    "carried_kind_persona": Entry("What is known of you", "对你的了解"),
    "carried_kind_insight": Entry("Readings, with the facts they rest on", "领会（连同依据的事实）"),
    "carried_kind_plot": Entry("The story so far", "迄今的故事"),
    "carried_kind_topic": Entry("Topics", "话题"),
    "carried_count": Entry("{on} of {n}", "{n} 条中的 {on} 条"),
    "carried_choose": Entry("Choose", "挑选"),
    "carried_chosen": Entry("{n} chosen", "已选 {n} 条"),
    "carried_none": Entry("Nothing is remembered yet that could come along.", "还没有可以带走的记忆。"),
    "carried_own_means": Entry(
        "Another character only gets what you told about yourself and yours; the rest is this one’s own.",
        "另一个角色只能得到你讲的关于自己和身边人事的，其余的是这个角色自己的。",
    ),
    "carried_forgotten": Entry("forgotten here", "这里已淡忘"),
    "carried_left_out": Entry("left out here", "这里已排除"),
    "carried_forgotten_there": Entry("forgotten there", "那边已淡忘"),
    "carried_left_out_there": Entry("left out there", "那边已排除"),
    "carried_here": Entry("here already, or deleted here", "这里已有，或已在这里删除"),
    "carried_not_own": Entry("stays with its character", "留在原角色那里"),
    "carried_from": Entry("from “{title}”, round {n}", "来自《{title}》第 {n} 轮"),
    "carried_from_span": Entry("from “{title}”, rounds {n}–{last}", "来自《{title}》第 {n}–{last} 轮"),
    "carried_go": Entry("Go to where it was said", "去到当时说的地方"),
    "carried_gone": Entry("That conversation is not in your list any more.", "那段对话已不在你的列表里。"),
    "carried_before": Entry("before this conversation", "这段对话之前"),
    "carried_heading": Entry("Brought along from elsewhere", "从别处带来的"),
    "carried_stays": Entry(
        "{n} memory that was brought from it into another conversation stays there.|{n} memories that were brought from it into other conversations stay there.",
        "从它带到其他对话的 {n} 条记忆会留在那里。",
    ),
    "memory_form_json": Entry("As a file of memory", "记忆文件"),
    "memory_form_json_means": Entry("JSON; can be imported into any conversation", "JSON，可导入任何对话"),
    "memory_form_markdown": Entry("For reading", "用于阅读"),
    "memory_form_markdown_means": Entry("Markdown", "Markdown"),
    "memory_exported": Entry("Saved: {name}", "已保存：{name}"),
    "memory_choose_file": Entry("Choose a file", "选择文件"),
    "memory_file_large": Entry("This file is larger than 32 MB. Nothing was changed.", "这个文件超过 32 MB。没有改动任何内容。"),
    "memory_file_json": Entry("This file cannot be read as JSON. Nothing was changed.", "无法把这个文件读作 JSON。没有改动任何内容。"),
    "memory_file_strange": Entry("This is no file of memory. Nothing was changed.", "这不是记忆文件。没有改动任何内容。"),
    "memory_file_version": Entry(
        "This file was written by a newer version that this one cannot read. Nothing was changed.",
        "这个文件由更新的版本写成，这里读不了。没有改动任何内容。",
    ),
    "memory_file_damaged": Entry(
        "This file was damaged or changed since it was written: its checksum does not fit. If you changed it yourself, take its line “sha256” out. Nothing was changed.",
        "这个文件写成后损坏或被改过：校验和不符。若是有意修改，请删去“sha256”一行。没有改动任何内容。",
    ),
    "memory_file_content": Entry(
        "Something in this file is not as it must be. Nothing was changed.", "这个文件里有不合规定的内容。没有改动任何内容。"
    ),
    "error_memory_file_refused": Entry(
        "This file was not taken in: {reason}. Nothing was changed.", "没有导入这个文件：{reason}。没有改动任何内容。"
    ),
    "error_nothing_to_carry": Entry(
        "Nothing was chosen that can come along. Nothing was changed.", "没有选中可以带走的记忆。没有改动任何内容。"
    ),
    "did_begin_with": Entry("It begins with {n} memory.|It begins with {n} memories.", "新对话带着 {n} 条记忆开始。"),
    "did_bring": Entry("{n} memory came along.|{n} memories came along.", "带入了 {n} 条记忆。"),
    "did_bring_nothing": Entry("All of it was here already, or was deleted here.", "全都已经在这里，或已在这里删除。"),
    "operation_bring": Entry("memories brought along", "带入的记忆"),
}
