"""The sentences about a person's own characters."""

from __future__ import annotations

from ui.entry import Entry

CHARACTERS: dict[str, Entry] = {
    # The list
    "own_characters": Entry("Your own characters", "你自己的角色"),
    "own_short": Entry("Your own", "你自己的"),
    "new_character": Entry("New character", "新建角色"),
    "edit_character": Entry("Edit the character", "编辑角色"),
    "duplicate_character": Entry("Duplicate", "复制一份"),
    "remove_character": Entry("Remove from the list", "从列表中移除"),
    "seek_character": Entry("Find by name or tag", "按名字或标签查找"),
    "no_character_found": Entry("No character of that name or tag.", "没有这个名字或标签的角色。"),
    "did_remove_character": Entry("{name} is out of the list. Conversations you have go on.", "{name}已从列表中移除，已有的对话照常继续。"),
    "did_duplicate_character": Entry("{name} is there a second time now.", "{name}现在有了第二份。"),
    "did_create_character": Entry("{name} is ready to talk.", "{name}可以聊天了。"),
    "did_change_character": Entry("{name} is saved. The next reply follows it.", "{name}已保存，从下一条回复起生效。"),
    "binned_character": Entry(
        "Out of the list. {n} conversation with it is still there; it goes for good with that.|"
        "Out of the list. {n} conversations with it are still there; it goes for good with the last.",
        "已从列表中移除。还有 {n} 段和它的对话；清除最后一段时它也随之消失。",
    ),
    "binned_character_alone": Entry("Out of the list.", "已从列表中移除。"),
    "erase_character_means": Entry(
        "Its card is erased from this computer and from all backups. This cannot be taken back.",
        "它的设定会从这台电脑和所有备份里清除，无法撤销。",
    ),
    "did_erase_character": Entry("{name} is erased for good.", "{name}已彻底清除。"),
    "talk": Entry("Talk", "聊聊"),
    # All at once
    "gallery": Entry("All characters", "全部角色"),
    "gallery_seek": Entry("Find by name, tag or line", "按名字、标签或介绍查找"),
    "gallery_tags": Entry("Tags", "标签"),
    "gallery_language": Entry("Language", "语言"),
    "gallery_any_language": Entry("Any language", "所有语言"),
    "gallery_order": Entry("Order", "排序"),
    "order_by_talk": Entry("Last talk first", "最近聊过的在前"),
    "order_by_new": Entry("Newest first", "最新的在前"),
    "order_by_name": Entry("By name", "按名字"),
    "gallery_count": Entry("{n} character|{n} characters", "{n} 个角色"),
    "gallery_none": Entry("Nobody here fits all of this. Take a word or a tag away.", "没有角色符合所有条件。请去掉一个词或标签。"),
    "gallery_none_kept": Entry("Nobody is kept on top yet. The star on a card does that.", "还没有置顶的角色。点卡片上的星星就能置顶。"),
    "gallery_all": Entry("Show everybody", "显示全部"),
    "gallery_talks": Entry("{n} conversation|{n} conversations", "{n} 段对话"),
    "gallery_go_on": Entry("Go on with the last conversation with {name}", "继续和{name}最近的对话"),
    "gallery_never": Entry("Not talked with yet", "还没聊过"),
    "favour_character": Entry("Keep {name} on top", "将{name}置顶"),
    "unfavour_character": Entry("{name}: no longer on top", "{name}：不再置顶"),
    "many": Entry("Choose several", "多选"),
    "many_chosen": Entry("{n} chosen", "已选 {n} 个"),
    "many_own": Entry("{n} of them your own", "其中 {n} 个是你自己的"),
    "many_all": Entry("All shown", "全选当前"),
    "many_tag": Entry("Tag …", "加标签…"),
    "many_tag_do": Entry("Tag", "加标签"),
    "many_tag_means": Entry(
        "For the {n} of your own that is chosen; several with commas between them.|For the {n} of your own that are chosen; several with commas between them.",
        "加给所选的 {n} 个自己的角色；多个标签用逗号隔开。",
    ),
    "many_untag": Entry("Take a tag away …", "去掉标签…"),
    "many_favour": Entry("On top, or no longer", "置顶或取消"),
    "many_export": Entry("Cards as .zip", "导出角色卡 .zip"),
    "many_remove": Entry("Remove", "移除"),
    "many_end": Entry("Done", "完成"),
    "did_many_tag": Entry("{n} tagged: {tags}.", "{n} 个已加标签：{tags}。"),
    "did_many_untag": Entry("“{tag}” is gone from {n}.", "已从 {n} 个去掉“{tag}”。"),
    "did_many_favour": Entry("{n} more kept on top.", "又置顶了 {n} 个。"),
    "did_many_unfavour": Entry("{n} no longer on top.", "{n} 个不再置顶。"),
    "did_many_remove": Entry("{n} out of the list. Conversations you have go on.", "{n} 个已从列表中移除，已有的对话照常继续。"),
    "gallery_empty": Entry(
        "Characters of your own stand here too: make one, or drop character cards on the page. Tags are written in a character’s form.",
        "你自己的角色也会出现在这里：新建一个，或把角色卡拖到页面上。标签在角色的表单里填写。",
    ),
    # The form
    "field_name": Entry("Name", "名字"),
    "fieldhint_name": Entry(
        "A new name is for new conversations; those you have keep the old one.", "新名字只用于新的对话；已有的对话沿用旧名。"
    ),
    "field_tagline": Entry("In one line", "一句话介绍"),
    "fieldhint_tagline": Entry("For you, in the list. The model is not shown it.", "写给你自己看的，显示在列表里，不会交给模型。"),
    "field_language": Entry("Language", "语言"),
    "fieldhint_language": Entry("What the character speaks.", "角色说哪种语言。"),
    "field_description": Entry("Who they are", "角色是谁"),
    "fieldhint_description": Entry(
        "Looks, history, people, habits: what must always be known. {{char}} stands for the character and {{user}} for you.",
        "外貌、经历、身边的人、习惯：时刻都要知道的事。{{char}} 代表角色，{{user}} 代表你。",
    ),
    "field_personality": Entry("Personality", "性格"),
    "fieldhint_personality": Entry("In a few words or sentences.", "几个词或几句话。"),
    "field_scenario": Entry("Scene", "场景"),
    "fieldhint_scenario": Entry("Where you meet, and why.", "你们在哪里相遇，为什么。"),
    "field_first_mes": Entry("First message", "开场白"),
    "fieldhint_first_mes": Entry(
        "What the character says first; without it you begin. *Asterisks* make gestures.",
        "角色先说的话；留空就由你先开口。*星号*里写动作。",
    ),
    "field_mes_example": Entry("How they talk", "说话方式"),
    "fieldhint_mes_example": Entry(
        "A few lines as examples, each talk beginning with <START>. A model with room for them reads them until the conversation is long enough to show it itself.",
        "写几段示例对话，每段以 <START> 开头。模型放得下时会参考它们，直到对话本身足够长。",
    ),
    "more_fields": Entry("More", "更多"),
    "field_system_prompt": Entry("System prompt", "系统提示词"),
    "fieldhint_system_prompt": Entry(
        "Stands in the place of ours, which asks the model to stay in character and to speak for nobody else. {{original}} puts ours in.",
        "用来代替默认的提示词；默认的要求模型保持角色、不替别人说话。{{original}} 代表默认的那一段。",
    ),
    "field_post_history_instructions": Entry("Instructions at the end", "结尾指令"),
    "fieldhint_post_history_instructions": Entry(
        "What the model should mind above all: it reads this last.", "最希望模型记住的要求：放在最后给它看。"
    ),
    "field_tags": Entry("Tags", "标签"),
    "fieldhint_tags": Entry("With commas between them, to find the character by.", "用逗号隔开，方便查找。"),
    "field_creator_notes": Entry("Notes", "备注"),
    "fieldhint_creator_notes": Entry("For you. The model is not shown them.", "写给你自己看的，不会交给模型。"),
    "preview": Entry("How it will look", "预览"),
    "unnamed_character": Entry("No name yet", "还没有名字"),
    "no_greeting": Entry("No first message: you begin.", "没有开场白：由你先开口。"),
    "tokens": Entry("{n} token|{n} tokens", "{n} 个词元"),
    "weighing": Entry("Counting the tokens …", "正在计算词元…"),
    "weight_of_character": Entry(
        "About {n} token of every prompt goes to this character.|About {n} tokens of every prompt go to this character.",
        "每次请求大约有 {n} 个词元用于这个角色。",
    ),
    "character_too_heavy": Entry(
        "The model takes at most about {room} of them: the end is cut. Shorten the character, or use a model that reads more.",
        "这个模型最多只能读约 {room} 个，后面的会被截掉。请精简角色，或换一个能读更多的模型。",
    ),
    "field_stances": Entry("How they read you", "怎样看你"),
    "fieldhint_stances": Entry(
        "Judgments only they would come to: one on a line, and under it, each on a line with a dash, examples of what you might tell that would bring them to it; other "
        "wordings of one behind a slash. Two that you tell in different rounds make an insight.",
        "只有这个角色才会得出的判断：每条单独一行；下面每行以短横线开头，写一个会让角色这样想的例子，同一个例子的不同说法用斜线隔开。你在不同轮次说到其中两个，就会形成一条领会。",
    ),
    "stances_draft": Entry("Draft some with your model", "让模型起草几条"),
    "stances_stop": Entry("Stop drafting", "停止起草"),
    "stances_drafting": Entry("Being drafted …", "正在起草…"),
    "stances_drafted": Entry(
        "{n} drafted by {model} with {tokens} tokens, below what stood there. Read and change it: nothing is kept before you save.|"
        "{n} drafted by {model} with {tokens} tokens, below what stood there. Read and change them: nothing is kept before you save.",
        "{model}用了 {tokens} 个词元，起草了 {n} 条，接在原有内容后面。请读一读、改一改；保存之前什么都不会留下。",
    ),
    "stances_none_drafted": Entry("{model} drafted nothing that could be used.", "{model}没有写出能用的判断。"),
    "stances_left_out": Entry(
        "{n} was left out: not about the player, too long, there already, or without two examples.|"
        "{n} were left out: not about the player, too long, there already, or without two examples.",
        "另有 {n} 条没有采用：没有说到玩家、太长、已经有了，或不足两个例子。",
    ),
    "error_nobody_drafts": Entry(
        "The small demo model that comes with Keepsake cannot draft judgments. Choose another one (Models).",
        "自带的演示模型写不了判断。请换一个模型（模型设置）。",
    ),
    "error_too_long_to_draft": Entry("This character is too long for {model} to read whole.", "这个角色的内容太长，{model}读不完。"),
    "error_drafting_stopped": Entry("Drafting was stopped. Nothing was changed.", "已停止起草。没有任何改动。"),
    "character_no_stances": Entry(
        "Without judgments of their own under “How they read you” a character forms no insights. Everything else is remembered.",
        "不在“怎样看你”里写下角色自己的判断，就不会形成领会。其他一切照样记得。",
    ),
    "character_stances": Entry(
        "This character has {n} judgment to read you by.|This character has {n} judgments to read you by.", "这个角色有 {n} 种自己的判断。"
    ),
    "unsaved_title": Entry("Leave without saving?", "不保存就离开？"),
    "unsaved_means": Entry("What you changed here is lost.", "这里的改动会丢失。"),
    "unsaved_leave": Entry("Leave", "离开"),
    # What can be wrong
    "error_character_unnamed": Entry("A character needs a name.", "角色需要一个名字。"),
    "error_character_text_too_long": Entry(
        "This has {length} characters; {limit} is the most. Shorten it.", "这里有 {length} 个字，最多 {limit} 个，请缩短。"
    ),
    "error_character_tags_too_many": Entry("{limit} tags are the most.", "最多 {limit} 个标签。"),
    "error_stance_headless": Entry(
        "Line {line} is an example, and no judgment stands above it.", "第 {line} 行是一个例子，但上面没有判断。"
    ),
    "error_stance_alone": Entry(
        "The judgment in line {line} needs at least {least} examples: no insight rests on one fact.",
        "第 {line} 行的判断至少要有 {least} 个例子：只凭一件事不会形成领会。",
    ),
    "error_stance_too_long": Entry("Line {line} is too long: {limit} characters are the most.", "第 {line} 行太长，最多 {limit} 个字。"),
    "error_stances_too_many": Entry(
        "That is too many from line {line} on: {limit} are the most.", "从第 {line} 行起太多了，最多 {limit} 个。"
    ),
    "error_stance_twice": Entry("What stands in line {line} is there twice.", "第 {line} 行的内容重复了。"),
    "error_character_language_unknown": Entry(
        "This is no language the character could speak: choose one from the list.", "角色不会说这种语言：请从列表里选一种。"
    ),
    "error_character_too_large": Entry(
        "All fields together come to {size} KB; {limit} KB is the most. Shorten some of them.",
        "所有内容加起来有 {size} KB，最多 {limit} KB，请缩短一些。",
    ),
    "error_character_not_found": Entry(
        "This character is not in your list any more. Nothing was changed.", "这个角色已不在你的列表里。没有改动任何内容。"
    ),
    "error_character_changed": Entry(
        "This character was changed elsewhere meanwhile. Nothing was saved; what you wrote is still in the form. Copy it, close the form and open it again.",
        "这个角色刚才在别处改过。这次没有保存，你写的内容还在这里：请先复制下来，关闭后重新打开。",
    ),
    "error_characters_too_many": Entry(
        "You have {limit} characters; more are not kept. Remove one first.", "你已有 {limit} 个角色，不能再多了。请先移除一个。"
    ),
}
