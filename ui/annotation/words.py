"""Every sentence of the workbench, in English and Chinese. `error_`: codes of what can be refused; `field_`: names of fields in them."""

from __future__ import annotations

from ui.accounts.words import WORDS as ACCOUNT_WORDS
from ui.annotation.words_collecting import COLLECTING_WORDS
from ui.annotation.words_giving import GIVING_WORDS
from ui.annotation.words_marking import MARKING_WORDS
from ui.annotation.words_outline import OUTLINE_WORDS
from ui.annotation.words_probes import PROBE_WORDS
from ui.annotation.words_review import REVIEW_WORDS
from ui.catalogue_accounts import ACCOUNTS
from ui.catalogue_errors import ERRORS
from ui.entry import Entry

WORDS: dict[str, Entry] = {
    "brand": ACCOUNT_WORDS["brand"],
    "other_language": ACCOUNT_WORDS["other_language"],
    **{key: ACCOUNT_WORDS[key] for key in ("theme", "theme_system", "theme_light", "theme_dark")},
    "back": ACCOUNT_WORDS["back"],
    "workbench": Entry("Annotation workbench", "标注工作台"),
    "needs_script": Entry("This page needs JavaScript.", "此页面需要 JavaScript。"),
    "kept": Entry("Kept", "已保存"),
    "keeping": Entry("Keeping …", "正在保存…"),
    "kept_here": Entry("Not kept on the server yet; this browser has it", "尚未存到服务器；这个浏览器里有一份"),
    "close": Entry("Close", "关闭"),
    "cancel": Entry("Cancel", "取消"),
    "save": Entry("Save", "保存"),
    "undo": Entry("Undo", "撤销"),
    "redo": Entry("Redo", "重做"),
    "keys": Entry("Keys", "快捷键"),
    "home": Entry("Projects", "项目"),
    # Home
    "not_for_players": Entry(
        "The workbench is for annotators, reviewers and admins. An admin can change what your account may do.",
        "工作台供标注员、审核员和管理员使用。管理员可以更改你的账号身份。",
    ),
    "alone": Entry(
        "There are no accounts here, so you are the only person: dialogues are annotated once, by you, and nothing is reviewed. "
        "Two annotators and a reviewer need accounts (KEEPSAKE_ACCOUNTS=on).",
        "这里没有启用账号，只有你一个人：每段对话由你标注一遍，没有审核。两名标注员和一名审核员需要账号（KEEPSAKE_ACCOUNTS=on）。",
    ),
    "no_projects": Entry("There is no project yet.", "还没有项目。"),
    "new_project": Entry("New project", "新项目"),
    "project_name": Entry("Name", "名称"),
    "overlap": Entry("Annotators of each dialogue", "每段对话的标注员人数"),
    "overlap_1": Entry("One; not reviewed", "一名，不审核"),
    "overlap_2": Entry("Two, then a reviewer", "两名，再由第三人审核"),
    "lease_hours": Entry("Hours a dialogue is held for somebody who does nothing", "无人操作时为标注员保留对话的小时数"),
    "categories": Entry("Categories, one a line (keys 1 to 9)", "类别，每行一个（按键 1 到 9）"),
    "categories_default": Entry(
        "Profile\nPreference\nRelationship\nEvent\nPlan\nFeeling\nPossession\nPromise\nOther",
        "身份\n喜好\n关系\n事件\n计划\n心情\n物品\n约定\n其他",
    ),
    "guideline": Entry("Guidelines", "标注说明"),
    "guideline_default": Entry(
        "Mark what somebody who cares would still want to know a hundred rounds later.\n\n1. Read the whole dialogue quickly "
        "first (S skims).\n2. Then go message by message. Choose every message that tells it, and the exact words where they can "
        "be shown.\n3. Write one fact per point, in the third person, as you would say it; short, with names.\n4. Mark what you "
        "are not sure of as unclear rather than leaving it out, and say why in the note.\n5. Small talk, jokes and what is said "
        "only to be polite are no memory points.",
        "标出一个在意对方的人过了一百轮之后仍会想知道的事。\n\n1. 先快速通读全文（按 S 略读）。\n2. 再逐条细读。选中讲到它的每一"
        "条消息，能引原话的就引原话。\n3. 每个记忆点写一件事，用第三人称，写得短，带上名字。\n4. 拿不准的标为“不确定”，并在备注里"
        "说明，不要略过。\n5. 寒暄、玩笑和客套话不是记忆点。",
    ),
    "make_project": Entry("Make the project", "建立项目"),
    "to_annotate": Entry("{n} dialogue waits for you|{n} dialogues wait for you", "有 {n} 段对话可标注"),
    "to_review": Entry("{n} dialogue to review|{n} dialogues to review", "有 {n} 段对话可审核"),
    "none_to_annotate": Entry("Nothing waits for you to annotate", "没有等你标注的对话"),
    "take": Entry("Annotate the next", "标注下一段"),
    "take_review": Entry("Review the next", "审核下一段"),
    "open_project": Entry("Open", "打开"),
    "your_work": Entry("Your work", "你的工作"),
    "go_on": Entry("Go on", "继续"),
    "look": Entry("Look", "查看"),
    "as_annotator": Entry("annotating", "标注"),
    "as_reviewer": Entry("reviewing", "审核"),
    "give_back": Entry("Give it back", "交还"),
    "give_back_sure": Entry(
        "Let somebody else have “{title}”? What you wrote is kept, and you can go on as long as nobody has taken it.",
        "把“{title}”让给别人？你写的内容会保留；没有人接手时你仍可继续。",
    ),
    "held_until": Entry("held for you until {at}", "为你保留至 {at}"),
    "held_over": Entry("its time is over: somebody else may take it", "保留时间已过：别人可能接手"),
    "is_submitted": Entry("submitted", "已提交"),
    "is_closed": Entry("closed", "已关闭"),
    "see_gold": Entry("What it came to", "审定结果"),
    "state_unassigned": Entry("waits for annotators", "等待标注"),
    "state_in_annotation": Entry("in annotation", "标注中"),
    "state_ready": Entry("waits for a reviewer", "等待审核"),
    "state_in_review": Entry("in review", "审核中"),
    "state_adjudicated": Entry("adjudicated", "已审定"),
    "state_released": Entry("released", "已公开"),
    # A project
    "dialogues": Entry("Dialogues", "对话"),
    "no_dialogues": Entry("No dialogue is in this project yet.", "项目里还没有对话。"),
    "add_dialogues": Entry("Add dialogues from a file", "从文件添加对话"),
    "add_dialogues_means": Entry(
        "LoCoMo’s or ZH-4O’s layout (dialogues alone), JSON lines, chats of role-play programs, or lines “Name: text”. Up to 5,000 messages a dialogue.",
        "支持 LoCoMo 和 ZH-4O 格式（只取对话）、JSON 行、角色扮演程序的聊天文件，或“名字：内容”的文本。每段最多 5000 条消息。",
    ),
    "take_in_project": Entry("Take in a project’s file", "导入项目文件"),
    "added": Entry("{n} dialogue was added.|{n} dialogues were added.", "添加了 {n} 段对话。"),
    "known": Entry("{n} was there already.|{n} were there already.", "其中 {n} 段原来就有。"),
    "messages_n": Entry("{n} message|{n} messages", "{n} 条消息"),
    "submitted_of": Entry("{n} of {overlap} submitted", "已提交 {n}/{overlap}"),
    "release": Entry("Release", "公开"),
    "release_means": Entry(
        "Shows the annotators of this dialogue each other’s work and the gold.", "让这段对话的标注员看到彼此的标注和审定结果。"
    ),
    "remove_item": Entry("Take out", "移出"),
    "remove_item_sure": Entry(
        "“{title}” goes out of the project for good, with everything that was annotated and reviewed on it. Exported files keep what they have.",
        "“{title}”将彻底移出项目，连同它的全部标注和审核。已导出的文件不受影响。",
    ),
    "people": Entry("People", "人员"),
    "people_none": Entry("Nobody has taken a dialogue yet.", "还没有人领取对话。"),
    "held_n": Entry("{n} open", "{n} 段进行中"),
    "done_n": Entry("{n} submitted", "{n} 段已提交"),
    "lapsed_n": Entry("{n} lapsed", "{n} 段已超时"),
    "guideline_version": Entry("Version {version}", "第 {version} 版"),
    "guideline_earlier": Entry("{n} earlier version|{n} earlier versions", "此前的 {n} 版"),
    "flags": Entry("What the guidelines leave open", "标注说明未作规定之处"),
    "flags_mean": Entry(
        "Reviewers flagged these while they decided. They are shown once a dialogue is reviewed.",
        "这些是审核时标出的。对话审核完成后才显示。",
    ),
    "message_n": Entry("message {n}", "第 {n} 条消息"),
    "guideline_change": Entry("Write a new version", "写新一版"),
    "guideline_means": Entry(
        "Earlier versions stay. Whoever annotates is shown that there is a new one.", "旧版会保留。正在标注的人会看到有新版本。"
    ),
    "close_project": Entry("Close the project", "关闭项目"),
    "open_again": Entry("Open it again", "重新开放"),
    "files": Entry("Files", "文件"),
    "file_project": Entry("Everything, as JSON lines", "全部内容（JSON 行）"),
    "file_gold": Entry("Gold, as a table (CSV)", "审定结果（CSV 表格）"),
    "file_locomo": Entry("Gold and regular probes in LoCoMo’s layout, for the evaluation", "审定结果和常规探针（LoCoMo 格式，供评测）"),
    "file_zh4o": Entry("The same in ZH-4O’s layout", "同上（ZH-4O 格式）"),
    "file_runs": Entry("What the runs came to, as a table (CSV)", "测试结果（CSV 表格）"),
    "file_probed": Entry(
        "Dialogues with the checked items of the probe table told in them, in LoCoMo’s layout", "说出了已核对探针的对话（LoCoMo 格式）"
    ),
    "files_mean": Entry(
        "What is not reviewed yet is in none of them. People stand in them as p1, p2, …",
        "尚未审定的标注不在文件里。文件里的人员写作 p1、p2……",
    ),
    "agreement": Entry("Agreement", "一致性"),
    "agreement_means": Entry(
        "Of {n} dialogue with gold, {a} and {b} points. The intervals are 95 % bootstrap intervals over what n counts, which "
        "takes messages of one dialogue for independent.|Of {n} dialogues with gold, {a} and {b} points. The intervals are 95 % "
        "bootstrap intervals over what n counts, which takes messages of one dialogue for independent.",
        "{n} 段已审定的对话，两位标注员各 {a} 和 {b} 个记忆点。区间为对 n 所计单位自助法得到的 95 % 区间，把同一对话里的消息当作独立。",
    ),
    "figure": Entry("Figure", "指标"),
    "value": Entry("Value", "数值"),
    "interval": Entry("95 % interval", "95 % 区间"),
    "figure_f1": Entry("Matched F1 (half of the messages shared)", "匹配 F1（消息重合一半以上）"),
    "figure_f1_any": Entry("Matched F1 (any message shared)", "匹配 F1（有消息重合）"),
    "figure_f1_exact": Entry("Matched F1 (the same messages)", "匹配 F1（消息完全相同）"),
    "figure_kappa_category": Entry("Cohen’s κ of the category, on matched pairs", "类别的 Cohen κ（匹配对）"),
    "figure_same_turns": Entry("Same messages, on matched pairs", "消息完全相同的比例（匹配对）"),
    "figure_turn_overlap": Entry("Overlap of messages, on matched pairs", "消息重合度（匹配对）"),
    "figure_alpha_turns": Entry("Krippendorff’s α, each message marked or not", "Krippendorff α（每条消息是否标注）"),
    "figure_alpha_category": Entry("α, messages marked “{category}”", "α，标为“{category}”的消息"),
    "unit_marked": Entry("marked", "标注项"),
    "unit_pairs": Entry("pairs", "匹配对"),
    "unit_turns": Entry("messages", "消息"),
    "undefined": Entry("not defined", "无定义"),
    "why_no_units": Entry("there is nothing to compare", "没有可比较的内容"),
    "why_one_label": Entry("every label is the same, so chance alone would agree", "所有标签都相同，随机也会一致"),
    **COLLECTING_WORDS,
    **GIVING_WORDS,
    **MARKING_WORDS,
    **OUTLINE_WORDS,
    **PROBE_WORDS,
    # Annotating
    "round_n": Entry("Round {n}", "第 {n} 轮"),
    "points": Entry("Memory points", "记忆点"),
    "no_points": Entry("None yet. Choose messages with X, then press N.", "还没有。按 X 选消息，再按 N。"),
    "new_point": Entry("New memory point", "新记忆点"),
    "edit_point": Entry("Memory point", "记忆点"),
    "point_text": Entry("What is worth remembering", "值得记住的事"),
    "category": Entry("Category", "类别"),
    "language": Entry("Language", "语言"),
    "language_en": Entry("English", "英文"),
    "language_zh": Entry("Chinese", "中文"),
    "note": Entry("Note", "备注"),
    "unclear": Entry("Unclear", "不确定"),
    "evidence": Entry("Told in", "出处"),
    "no_evidence": Entry("no message yet: choose with X", "还没有消息：按 X 选择"),
    "discard": Entry("Discard", "放弃"),
    "discarded": Entry("The form was discarded.", "已放弃这次填写。"),
    "bring_back": Entry("Bring it back", "找回"),
    "removed": Entry("The point was deleted.", "已删除记忆点。"),
    "delete": Entry("Delete", "删除"),
    "edit": Entry("Edit", "编辑"),
    "quote": Entry("Quote these words", "引用这些字"),
    "quoting": Entry(
        "Quote: ← → sentence, Shift+← → word, Enter takes it, Esc leaves", "引用：← → 换句，Shift+← → 增减字词，Enter 选定，Esc 放弃"
    ),
    "skim": Entry("Skim", "略读"),
    "go_to_round": Entry("Go to round", "跳到第几轮"),
    "submit": Entry("Submit", "提交"),
    "submit_sure": Entry(
        "Submit {n} memory point? Nobody has seen them; the reviewer will. You can take the submission back until the review "
        "begins.|Submit {n} memory points? Nobody has seen them; the reviewer will. You can take the submission back until the "
        "review begins.",
        "提交 {n} 个记忆点？目前没有人看过；提交后审核员会看到。审核开始前可以收回。",
    ),
    "form_open": Entry("A form is still open. Save it or discard it first.", "还有没保存的记忆点。请先保存或放弃。"),
    "submitted_thanks": Entry("Submitted. Thank you.", "已提交，谢谢。"),
    "reopen": Entry("Take the submission back", "收回提交"),
    "only_look": Entry("You have submitted this; it cannot be changed.", "你已提交，不能再改。"),
    "new_guideline": Entry(
        "The guidelines have changed since you last read them (version {version}).", "标注说明自你上次阅读后有更新（第 {version} 版）。"
    ),
    "read_it": Entry("I have read it", "我已读过"),
    **{f"key_{name}": entry for name, entry in REVIEW_WORDS["keys"].items()},
    **REVIEW_WORDS["page"],
    **{f"field_{name}": entry for name, entry in REVIEW_WORDS["fields"].items()},
    **{f"error_{name}": entry for name, entry in REVIEW_WORDS["errors"].items()},
    **{
        key: ERRORS[key]
        for key in (
            "error_storage_full",
            "error_storage_read_only",
            "error_storage_failed",
            "error_storage_damaged",
            "error_character_not_found",
            "error_characters_too_many",
        )
        if key in ERRORS
    },
    "error_not_logged_in": ACCOUNTS["error_not_logged_in"],
    "error_unexpected": ACCOUNT_WORDS["error_unexpected"],
}
