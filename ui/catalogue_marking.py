"""The sentences of marking while playing, and of conversations that are held for a project."""

from __future__ import annotations

from ui.entry import Entry

MARKING: dict[str, Entry] = {
    "mark": Entry("Mark as worth remembering", "标为值得记住"),
    "mark_probe": Entry("Make a test question of it …", "用它出一道考题…"),
    "mark_quote": Entry("Mark the selection as worth remembering", "把选中的字标为值得记住"),
    "mark_probe_quote": Entry("Make a test question of the selection …", "用选中的字出一道考题…"),
    "marked": Entry("{n} marked as worth remembering", "{n} 处标为值得记住"),
    "marked_probe": Entry("{n} test question|{n} test questions", "{n} 道考题"),
    "marked_means": Entry(
        "Marked by you, for your own project on the workbench. Nobody else sees it, and the model is not told.",
        "由你标记，在工作台上你自己的项目里。别人看不到，也不会告诉模型。",
    ),
    "marked_open": Entry("Open on the workbench", "在工作台打开"),
    "unmark": Entry("Take the mark away", "去掉标记"),
    "unmark_n": Entry("Take mark {n} away", "去掉第 {n} 个标记"),
    "did_mark": Entry("Marked as worth remembering: “{text}”", "已标为值得记住：“{text}”"),
    "did_mark_probe": Entry("Kept as a test question.", "考题已存下。"),
    "did_unmark": Entry("The mark is gone.", "已去掉标记。"),
    "mark_first_title": Entry("Mark while you play?", "边玩边标？"),
    "mark_first": Entry(
        "What you mark goes into a project of your own on the annotation workbench, with a copy of this conversation’s open branch:",
        "你标的内容会放进标注工作台上你自己的项目，并附上这段对话当前分支的副本：",
    ),
    "mark_first_who": Entry("Only you see it. Admins and other annotators do not.", "只有你能看到，管理员和其他标注员都看不到。"),
    "mark_first_grows": Entry(
        "The copy grows with the conversation whenever you mark something in it or open it there.",
        "之后每次标记或在那里打开时，副本会随对话增长。",
    ),
    "mark_first_gone": Entry(
        "It is erased with the conversation, in backups too. A single mark you can take away at any time.",
        "它随对话一起彻底删除，备份里也是。单个标记随时可以去掉。",
    ),
    "mark_first_given": Entry("Nothing is given to a project of the house by it.", "这不会把任何内容提供给公共项目。"),
    "mark_agree": Entry("Mark it", "标记"),
    "probe_p": Entry("What is told (P)", "说的话（P）"),
    "probe_q": Entry("What is asked many rounds later (Q)", "许多轮之后的提问（Q）"),
    "probe_a": Entry("The answer that shows it was remembered (A)", "能说明记住了的回答（A）"),
    "probe_topic": Entry("Topic, in a word or two", "主题，一两个词"),
    "probe_keep": Entry("Keep the question", "存下考题"),
    "probe_title": Entry("A test question from this message (a probe)", "由这条消息出一道考题（探针）"),
    "probe_draft": Entry("Brought back what you had written.", "已找回你之前写的内容。"),
    "taking_rounds": Entry("{n} of {of} rounds", "{n}/{of} 轮"),
    "taking_reached": Entry("{n} of {of} rounds: long enough", "{n}/{of} 轮：已够长"),
    "taking_handed": Entry("handed in, at {n} rounds now", "已交出，现有 {n} 轮"),
    "taking_hand_in": Entry("Hand in …", "交出…"),
    "taking_menu": Entry("A conversation for a project", "为项目进行的对话"),
    "taking_briefing": Entry("What it is for", "用途说明"),
    "taking_no_briefing": Entry("The project says nothing further.", "项目没有进一步的说明。"),
    "taking_stop": Entry("Stop taking part", "停止参加"),
    "taking_stop_means": Entry(
        "The conversation stays yours. What was handed in goes out of the project for good, with everything that was annotated on it. You need give no reason.",
        "对话仍归你所有。已交出的内容会彻底移出项目，连同它的全部标注。不需要理由。",
    ),
    "taking_stopped": Entry("You take part no more.", "你已不再参加。"),
    "taking_closed": Entry("The project takes no more.", "项目已不再接收。"),
    "taking_refused": Entry("That did not work. Nothing was changed.", "未能完成。没有任何改动。"),
    "mark_refused": Entry("This could not be marked. Nothing was changed.", "未能标记。没有任何改动。"),
    "mark_refused_not_there": Entry(
        "This message is hidden, was rewritten, or is not on this branch any more. Nothing was marked.",
        "这条消息已隐藏、改写或不在当前分支上。没有标记。",
    ),
    "mark_refused_quote_moved": Entry(
        "The words that are selected do not stand in this message. Select within one message; nothing was marked.",
        "选中的字不在这条消息里。请只在一条消息内选择；没有标记。",
    ),
    "mark_refused_already_submitted": Entry(
        "What you marked in this conversation is submitted. Take the submission back on the workbench to mark on.",
        "你在这段对话里标的内容已提交。请先在工作台收回提交，再继续标记。",
    ),
    "mark_refused_changed_meanwhile": Entry(
        "Another tab changed this mark. What you see now is how it stands.", "另一个标签页改动了这个标记。现在显示的是最新的样子。"
    ),
    "mark_refused_field_missing": Entry("Fill in everything first. Nothing was kept.", "请先填完每一项。没有保存。"),
    "mark_refused_field_too_long": Entry("That is too long. Nothing was kept.", "太长了。没有保存。"),
    "mark_refused_not_allowed": Entry("Your account may not annotate. Nothing was marked.", "你的账号不能标注。没有标记。"),
}
