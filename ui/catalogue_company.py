"""The sentences of conversations with several characters."""

from __future__ import annotations

from ui.entry import Entry

COMPANY: dict[str, Entry] = {
    "company_new": Entry("Several at once", "多人对话"),
    "company_begin_title": Entry("A conversation with several characters", "和几个角色一起聊"),
    "company_means": Entry(
        "Choose 2 to {most}. Each hears what is said while they are there, and remembers that alone. The first you choose gives the conversation its language.",
        "选 2 到 {most} 个角色。每个角色只听见自己在场时说的话，也只记得那些。对话的语言跟随你选的第一个角色。",
    ),
    "company_title": Entry("Title (may stay empty)", "标题（可以不填）"),
    "company_begin": Entry("Begin", "开始"),
    "company_chosen": Entry("{n} chosen", "已选 {n} 个"),
    "company_who": Entry("Who is there", "谁在场"),
    "company_menu": Entry("{name}: speak, leave, memory", "{name}：发言、离场、记忆"),
    "company_here": Entry("{name} is there", "{name}在场"),
    "company_away": Entry("{name} is not there", "{name}不在场"),
    "company_next": Entry("{name} speaks next", "下一个轮到{name}"),
    "company_next_short": Entry("next", "下一个"),
    "company_speak": Entry("Let {name} speak now", "让{name}现在说话"),
    "company_to": Entry("{name} answers my next message", "下一条消息由{name}回答"),
    "company_to_not": Entry("Whoever's turn it is answers", "轮到谁就由谁回答"),
    "company_out": Entry("Send {name} out", "让{name}离开"),
    "company_back": Entry("Bring {name} back", "让{name}回来"),
    "company_join": Entry("Add a character", "请一个角色加入"),
    "company_join_means": Entry(
        "Who comes in now hears what is said from here on. What was said before they do not know, until somebody tells them.",
        "现在加入的角色只听得见之后的话。之前说过什么，除非有人告诉，否则一概不知。",
    ),
    "company_widen_means": Entry(
        "The conversation goes on in a copy, where whoever you choose comes in and knows nothing of what was said before. This one with {name} stays as it is. "
        "What {name} remembers is made anew in the copy, which takes a while in a long conversation.",
        "对话会在一份副本里继续，你选的角色在那里加入，对之前说过的话一无所知。和{name}的这段对话原样保留。{name}的记忆会在副本里重新整理，对话很长时要花一点时间。",
    ),
    "company_full": Entry("There are {most} already, the most that a conversation has.", "已经有 {most} 个角色，不能再多了。"),
    "company_join_none": Entry("There is nobody else. Make a character first.", "没有别的角色了。请先新建一个。"),
    "did_join": Entry("{name} is there, and knows nothing of what was said before.", "{name}来了，对之前说过的话一无所知。"),
    "company_knows": Entry("What {name} knows", "{name}知道的事"),
    "company_all": Entry("Everyone answers", "每个人都回答"),
    "company_all_means": Entry(
        "On: everyone who is there answers in turn. Off: those you name, else whoever has been silent longest.",
        "开启：在场的每个人依次回答。关闭：点名的人回答；没点名时由沉默最久的人回答。",
    ),
    "company_nobody": Entry("Nobody is there: what you say is kept, and nobody hears it.", "没有人在场：你说的话会留下，但谁也听不见。"),
    "company_heard": Entry("only {names} heard this", "只有{names}听见"),
    "company_heard_none": Entry("nobody heard this", "谁也没听见"),
    "company_whose": Entry("Whose memory is shown", "显示谁的记忆"),
    "company_of": Entry("{name}'s memory", "{name}的记忆"),
    "company_receipt": Entry("Made from what {name} witnessed and remembers.", "由{name}亲历和记得的事写成。"),
    "company_asking": Entry("{name} is asked: only what {name} witnessed counts.", "问的是{name}：只看{name}亲历过的事。"),
    "did_send_out": Entry(
        "{name} has left. What is said now stays between those who are there.", "{name}离开了。现在说的话只有在场的人知道。"
    ),
    "did_bring_back": Entry("{name} is back, and knows nothing of what was said meanwhile.", "{name}回来了，对刚才说的话一无所知。"),
    "operation_presence": Entry("who is there", "谁在场"),
    "operation_speak": Entry("what a character said", "角色说的话"),
}
