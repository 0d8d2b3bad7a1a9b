"""Sentences of the workbench: players who give a conversation."""

from __future__ import annotations

from ui.entry import Entry

GIVING_WORDS: dict[str, Entry] = {
    "give": Entry("Give a conversation to research", "为研究提供对话"),
    "give_own": Entry("Give a conversation of your own", "提供你自己的对话"),
    "give_means": Entry(
        "A project gets a copy of the conversation as it stands now, without what you black out and what is hidden from the model. "
        "Annotators read it; nothing you say later follows it. You can take it back at any time.",
        "项目得到的是对话当前内容的副本，不含你抹去的字和对模型隐藏的消息。标注员会阅读它；你之后说的话不会跟着进去。你可以随时收回。",
    ),
    "no_invitations": Entry("No project asks for conversations at present.", "目前没有项目征集对话。"),
    "target_rounds": Entry(
        "Rounds of a conversation that players may give (0: none are asked for)", "玩家可提供的对话应有的轮数（0 表示不征集）"
    ),
    "briefing": Entry("What players are told before they give one", "玩家提供之前看到的说明"),
    "briefing_default": Entry(
        "What this is for, who will read it, whether it will be published.\n"
        "Please leave out what would harm you or others if it were read, and anything violent, sexual or hateful.\n"
        "You can stop and take your conversation back at any time, without giving a reason.",
        "说明用途、谁会阅读、是否会公开。\n请不要写读到后会伤害你或他人的内容，也不要写暴力、色情或仇恨的内容。\n你可以随时停止并收回对话，不需要理由。",
    ),
    "rounds_of": Entry("{n} of {of} rounds", "{n}/{of} 轮"),
    "look_give": Entry("Look, and give", "查看并提供"),
    "look_again": Entry("Show what it would be", "显示结果"),
    "black_out": Entry("Words to black out, one a line", "要抹去的字词，每行一个"),
    "black_out_means": Entry(
        "Names, addresses and numbers that were found stand here already. What tells who you are in other ways only you can see: read it through.",
        "已列出找到的名字、地址和号码。其他能认出你的内容只有你看得出来：请通读一遍。",
    ),
    "blacked_n": Entry("{n} place is blacked out|{n} places are blacked out", "抹去了 {n} 处"),
    "consent": Entry(
        "I have read what it is for. I give this copy to the project of my own will, and know that I can take it back.",
        "我已阅读用途说明。我自愿把这份副本提供给该项目，并知道可以随时收回。",
    ),
    "give_do": Entry("Give it", "提供"),
    "given_thanks": Entry("Given. Thank you.", "已提供，谢谢。"),
    "given": Entry("What you have given", "你提供过的"),
    "withdraw": Entry("Take it back", "收回"),
    "withdraw_sure": Entry(
        "“{title}” goes out of the project for good, with everything that was annotated on it. Files that were exported before are not in this program’s hands.",
        "“{title}”会彻底移出项目，连同它的全部标注。之前导出的文件不在本程序的控制之内。",
    ),
    "withdrawn": Entry("It is out of the project.", "已移出项目。"),
}
