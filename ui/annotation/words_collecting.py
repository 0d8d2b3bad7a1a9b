"""Sentences of the workbench: conversations that are held for a project."""

from __future__ import annotations

from ui.entry import Entry

COLLECTING_WORDS: dict[str, Entry] = {
    "tasks": Entry("Conversations that are asked for", "征集中的对话"),
    "tasks_mean": Entry(
        "You talk with the character as in any conversation. Nobody but you sees it until you hand it in, and then you see first what goes out. You can stop at "
        "any time, without a reason.",
        "像平常一样和角色对话。交出之前只有你能看到；交出时会先显示会交出的内容。你可以随时停止，不需要理由。",
    ),
    "task_agree": Entry("I have read what it is for and take part of my own will.", "我已阅读用途说明，自愿参加。"),
    "task_begin": Entry("Begin with {name}", "和{name}开始"),
    "task_agree_first": Entry("Agree first: tick the sentence above the buttons.", "请先勾选按钮上方的同意说明。"),
    "task_length": Entry("{n} round is asked for|{n} rounds are asked for", "应有 {n} 轮"),
    "takings": Entry("What you have begun", "你已开始的"),
    "taking_go_on": Entry("Go on talking", "继续对话"),
    "hand_in": Entry("Hand in", "交出"),
    "handed_in": Entry("handed in", "已交出"),
    "hand_in_short": Entry(
        "It has {n} of {of} rounds. Handed in now, say why, please: those who run the project read it.",
        "目前 {n}/{of} 轮。现在交出，请说明原因：项目负责人会看到。",
    ),
    "hand_in_reason": Entry("Why it is shorter", "为什么较短"),
    "handed_thanks": Entry("Handed in. Thank you.", "已交出，谢谢。"),
    "task_leave": Entry("Stop", "停止参加"),
    "task_leave_sure": Entry(
        "The conversation stays yours. What was handed in goes out of the project for good, with everything that was annotated on it, and stands in no further "
        "export.",
        "对话仍归你所有。已交出的内容会彻底移出项目，连同它的全部标注，之后的导出也不再包含。",
    ),
    "task_left": Entry("You take part no more.", "你已不再参加。"),
    "task_closed": Entry("the project takes no more", "项目已不再接收"),
    "collecting": Entry("Collection", "征集"),
    "collecting_means": Entry(
        "Players are asked for conversations with the characters that you choose here, as long as the length you have set. Of your own characters they get a "
        "copy, with all that its card says.",
        "请玩家与这里选定的角色对话，长度按你设定的轮数。选用你自己的角色时，玩家会得到一份副本，包含卡片的全部内容。",
    ),
    "collecting_none": Entry(
        "This project asks for no conversations: it was made with 0 rounds. 250 rounds are the paper’s 500 messages.",
        "这个项目不征集对话（建立时轮数为 0）。250 轮相当于论文中的 500 条消息。",
    ),
    "collecting_counts": Entry("{begun} begun, {handed} handed in", "已开始 {begun} 段，已交出 {handed} 段"),
    "collecting_short": Entry("Handed in short of the length:", "不足长度而交出的原因："),
    "shared_card": Entry("your own", "你自己的"),
    "field_characters": Entry("Characters", "角色"),
}
