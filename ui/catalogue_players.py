"""The sentences about a player's own personas."""

from __future__ import annotations

from ui.entry import Entry

PLAYERS: dict[str, Entry] = {
    "players": Entry("Your personas", "你的身份"),
    "players_means": Entry(
        "Who you are in your conversations. A new one begins with your default; in each you can be somebody else.",
        "你在对话里是谁。新对话用默认身份开始，每段对话里都可以换。",
    ),
    "players_none": Entry(
        "None yet: characters call you “{name}” and know nothing of you from the start. Make one to be somebody: a name, and what they may know of you.",
        "还没有。角色会叫你“{name}”，开始时对你一无所知。新建一个身份：取个名字，写下角色可以知道的事。",
    ),
    "player_new": Entry("New persona", "新建身份"),
    "player_edit": Entry("Edit the persona", "编辑身份"),
    "player_duplicate": Entry("Duplicate", "复制一份"),
    "player_remove": Entry("Remove", "移除"),
    "player_tie": Entry("Begin with a character as this …", "和某个角色开始时用它…"),
    "player_ties": Entry("Who begins as {name}", "和谁开始时是{name}"),
    "player_ties_means": Entry(
        "New conversations with these characters begin as {name}, whichever persona is the default. Those you have stay as they are.",
        "和这些角色的新对话以{name}的身份开始，不随默认身份变化。已有的对话不变。",
    ),
    "player_tied": Entry("with {names}", "和{names}"),
    "tied_to_other": Entry("begins as {name} now", "现在以{name}的身份开始"),
    "play_tie": Entry("New conversations with {character} begin as {name}", "和{character}的新对话以{name}的身份开始"),
    "player_default": Entry("Default", "默认"),
    "player_make_default": Entry("Make it the default", "设为默认"),
    "player_no_default": Entry("No default any more", "不再作为默认"),
    "did_player_default": Entry("New conversations begin as {name}.", "新对话将以{name}的身份开始。"),
    "did_player_no_default": Entry("New conversations begin without a persona.", "新对话将不带身份开始。"),
    "did_player_keep": Entry("{name} is saved.", "{name}已保存。"),
    "did_player_duplicate": Entry("{name} is there a second time now.", "{name}现在有了第二份。"),
    "did_player_remove": Entry("{name} is removed. Conversations that have it go on.", "{name}已移除，用着它的对话照常继续。"),
    "did_player_erase": Entry("{name} is erased for good.", "{name}已彻底清除。"),
    "binned_player": Entry(
        "{n} conversation has or had it; it goes for good with that.|{n} conversations have or had it; it goes for good with the last.",
        "还有 {n} 段对话用过它；清除最后一段时它也随之消失。",
    ),
    "binned_player_alone": Entry("No conversation has it.", "没有对话用着它。"),
    "erase_player_means": Entry(
        "It is erased from this computer and from all backups. This cannot be taken back.", "它会从这台电脑和所有备份里清除，无法撤销。"
    ),
    # The form
    "player_name": Entry("Name", "名字"),
    "player_name_hint": Entry(
        "What characters call you. Conversations you have keep the old name until you choose the persona there again.",
        "角色怎么称呼你。已有的对话沿用旧名，直到你在那里重新选择这个身份。",
    ),
    "player_description": Entry("What characters may know of you", "角色可以知道的事"),
    "player_description_hint": Entry(
        "In every prompt, from the start. It is told and not remembered: it never becomes a memory. {{char}} and {{user}} stand for the names.",
        "从一开始就在每次请求里。它只是说明，不会变成记忆。{{char}} 和 {{user}} 代表名字。",
    ),
    "player_weight": Entry("About {n} token of every prompt.|About {n} tokens of every prompt.", "每次请求约占 {n} 个词元。"),
    "player_heavy": Entry(
        "The model takes at most about {room} of them: the end is cut. Shorten it, or use a model that reads more.",
        "这个模型最多只能读约 {room} 个，后面的会被截掉。请精简，或换一个能读更多的模型。",
    ),
    "player_picture": Entry("Picture", "头像"),
    "player_picture_choose": Entry("Choose a picture", "选择图片"),
    "player_picture_remove": Entry("No picture", "不用图片"),
    # In a conversation
    "play_as": Entry("Who you are here", "你在这里是谁"),
    "playing_as": Entry("You are {name} here. Change it", "你在这里是{name}，点击更换"),
    "playing_kept": Entry("kept in this conversation", "固定在这段对话里"),
    "playing_follows": Entry("follows your default", "随默认身份变化"),
    "play_means": Entry(
        "From your next message on. What was said stays as it was said, under the name it was said under, and so does what is remembered of it.",
        "从你的下一条消息起生效。说过的话保留当时的名字，记下的事也不变。",
    ),
    "play_nobody": Entry("No persona", "不用身份"),
    "play_nobody_means": Entry("“{name}”, as this conversation began", "“{name}”，和这段对话开始时一样"),
    "play_lock": Entry("When your default changes", "默认身份改变时"),
    "play_keep": Entry("Keep who you are here", "这里保持不变"),
    "play_follow": Entry("Follow the default", "跟着默认走"),
    "did_play_as": Entry("Who you are here has changed. It holds from your next message on.", "你在这里的身份已更换，从下一条消息起生效。"),
    "operation_play_as": Entry("change who you are here", "更换身份"),
    "players_manage": Entry("Edit your personas", "管理你的身份"),
    "begin_as": Entry("You are {name}", "你是{name}"),
    "begin_as_nobody": Entry("You, without a persona", "你，不带身份"),
    "passing_as": Entry("As whom?", "以谁的身份？"),
    "passing_as_usual": Entry("As in any new conversation (by default: {name})", "和新对话一样（默认：{name}）"),
    "persona_others": Entry(
        "{n} more thing was told as {name}; it is shown when you are {name} again.|{n} more things were told as {name}; they are shown when you are {name} again.",
        "另有 {n} 条是以{name}的身份说的；换回{name}时会显示。",
    ),
    # What can be wrong
    "error_player_unnamed": Entry("A persona needs a name.", "身份需要一个名字。"),
    "error_player_text_too_long": Entry(
        "This has {length} characters; {limit} is the most. Shorten it.", "这里有 {length} 个字，最多 {limit} 个，请缩短。"
    ),
    "error_player_picture_unusable": Entry(
        "This picture cannot be used: PNG, JPEG, WebP, AVIF and GIF of up to 8 MB and 25 million pixels can. Nothing was saved.",
        "这张图片无法使用：支持 8 MB、2500 万像素以内的 PNG、JPEG、WebP、AVIF 和 GIF。没有保存任何内容。",
    ),
    "error_player_not_found": Entry(
        "This persona is not in your list any more. Nothing was changed.", "这个身份已不在你的列表里。没有改动任何内容。"
    ),
    "error_player_changed": Entry(
        "This persona was changed elsewhere meanwhile. Nothing was saved; what you wrote is still in the form. Copy it, close the form and open it again.",
        "这个身份刚才在别处改过。这次没有保存，你写的内容还在这里：请先复制下来，关闭后重新打开。",
    ),
    "error_players_too_many": Entry(
        "You have {limit} personas; more are not kept. Remove one first.", "你已有 {limit} 个身份，不能再多了。请先移除一个。"
    ),
}
