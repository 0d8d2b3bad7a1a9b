"""The sentences about conversations of other programs that come in as files. `told_`: of `chat.import_words.SENTENCES`."""

from __future__ import annotations

from ui.entry import Entry

IMPORTING: dict[str, Entry] = {
    # What a file holds
    "layout_program": Entry("A chat of a role-play program", "角色扮演软件的聊天记录"),
    "layout_locomo": Entry("Dated conversations (LoCoMo-style JSON)", "带日期的对话（LoCoMo 格式 JSON）"),
    "layout_lines": Entry("A conversation, one message a line (JSON lines)", "每行一条消息的对话（JSON lines）"),
    "layout_pairs": Entry("Questions and answers, one pair a line (JSON lines)", "每行一问一答（JSON lines）"),
    "layout_diary": Entry("A diary of questions and answers", "按日记录的问答"),
    "layout_text": Entry("Plain text, “Name: what was said”", "纯文本，“名字：内容”"),
    "found_which": Entry("Which of its {n} conversations", "选择其中一段对话（共 {n} 段）"),
    "found_row": Entry("{key}: {names}, {n} messages", "{key}：{names}，{n} 条消息"),
    "found_more": Entry(
        "{n} more are in this file; the command “make import” reads them.", "文件里还有 {n} 段，可用命令 “make import” 导入。"
    ),
    "found_size": Entry("{n} message in {rounds} rounds|{n} messages in {rounds} rounds", "{n} 条消息，{rounds} 轮"),
    "found_days": Entry("{first} to {last}", "{first} 至 {last}"),
    "found_wordings": Entry(
        "{n} message with further wordings, which come along|{n} messages with further wordings, which come along",
        "{n} 条消息有其他版本，会一并导入",
    ),
    "found_player": Entry("You are", "你是"),
    "found_player_name": Entry("Your name there", "你在其中的名字"),
    "found_character": Entry("The character is", "角色是"),
    "found_as": Entry("Goes on with", "以后和谁继续"),
    "found_as_hint": Entry(
        "A new one is made of the name alone; who they are can be written into it later.",
        "新角色只有名字，之后可以再补写设定。",
    ),
    "found_new": Entry("A new character called {name}", "新角色“{name}”"),
    "found_new_unnamed": Entry("A new character", "新角色"),
    "found_character_name": Entry("The character’s name", "角色的名字"),
    "found_speaker": Entry("{name} ({n} message)|{name} ({n} messages)", "{name}（{n} 条）"),
    "side_user": Entry("No name in the file, asks", "未署名的提问方"),
    "side_character": Entry("No name in the file, answers", "未署名的回答方"),
    "found_name_player": Entry("The file has no name for you: write one.", "文件里没有你的名字，请填写。"),
    "found_name_character": Entry("The file has no name for the character: write one.", "文件里没有角色的名字，请填写。"),
    "found_alone": Entry(
        "Only one speaks in this conversation; two are needed: you and the character.",
        "这段对话只有一个人说话；需要两方：你和角色。",
    ),
    "found_memory": Entry(
        "Once it is here, its memory is built in the background, round by round, as if it had been said today.",
        "导入后会在后台逐轮建立记忆，就像刚刚说过一样。",
    ),
    "found_back": Entry("Another file", "换一个文件"),
    "import_back": Entry("Back", "返回"),
    "import_there": Entry("This conversation was here already: {name}", "这段对话原来就在这里：{name}"),
    "import_there_already": Entry(
        "This very conversation was imported before and is here. Nothing was changed.", "这段对话以前已经导入，就在这里。没有任何改动。"
    ),
    "import_beside": Entry("Import it once more", "再导入一份"),
    "error_import_names": Entry(
        "Two different names are needed, of at most 200 characters on one line: yours and the character’s. Nothing was imported.",
        "需要两个不同的名字（你的和角色的），各在一行内，最多 200 个字。没有导入任何内容。",
    ),
    "error_memory_behind": Entry(
        "Memory is still being built of what you imported before ({waiting} steps are left). Import more once that is done; conversations that are here go on. "
        "Nothing was imported.",
        "之前导入的内容还在建立记忆（还剩 {waiting} 步）。等它完成后再导入；已有的对话可以照常继续。没有导入任何内容。",
    ),
    # Why not, and where
    "import_not_read": Entry("This file could not be read as a conversation.", "无法把这个文件读成对话。"),
    "place_line": Entry("Line {which}", "第 {which} 行"),
    "place_record": Entry("Record {which}", "第 {which} 条记录"),
    "place_session": Entry("session {which}", "第 {which} 场"),
    "place_turn": Entry("turn {which}", "第 {which} 句"),
    "place_pair": Entry("pair {which}", "第 {which} 对"),
    "place_user": Entry("User {which}", "用户 {which}"),
    "told_bundle": Entry("it is a file that Keepsake exported", "这是 Keepsake 导出的文件"),
    "told_no_file": Entry("there is no such file", "没有这个文件"),
    "told_unreadable": Entry("it could not be read ({why})", "无法读取（{why}）"),
    "told_too_large": Entry("it is larger than {most} MiB", "超过 {most} MiB"),
    "told_empty": Entry("it is empty", "文件是空的"),
    "told_json": Entry("it is not valid JSON (line {line}, column {column})", "不是有效的 JSON（第 {line} 行，第 {column} 列）"),
    "told_json_cut": Entry(
        "it breaks off before its end, or it is not valid JSON (line {line}, column {column})",
        "文件在结束前中断，或不是有效的 JSON（第 {line} 行，第 {column} 列）",
    ),
    "told_json_deep": Entry("its JSON is nested too deeply", "JSON 嵌套太深"),
    "told_no_conversation": Entry("it holds no conversation", "里面没有对话"),
    "told_no_message": Entry("it holds no message", "里面没有消息"),
    "told_peer_prose": Entry(
        "it tells a story without saying whose turn it is (KoboldAI Lite’s chat and instruct modes do)",
        "其中是一整篇故事，没有标明谁在说话（KoboldAI Lite 的聊天和指令模式会标明）",
    ),
    "told_layout": Entry(
        "its layout is not known. Expected: lines “Name: text”, JSON lines, an object with a “conversation”, or people with a “history” each.",
        "不认识这种格式。可以是：每行“名字：内容”、JSON lines、带 “conversation” 的对象，或每人一个 “history”。",
    ),
    "told_session_shape": Entry("a session is not a list of turns", "一场对话不是由句子组成的列表"),
    "told_turn_shape": Entry("a turn is not an object", "有一句不是对象"),
    "told_day_shape": Entry("a day is not a list of pairs", "某一天不是问答列表"),
    "told_pair_shape": Entry("a pair is not an object", "有一对问答不是对象"),
    "told_not_object": Entry("it is not an object", "这一行不是对象"),
    "told_no_text": Entry("it has no text", "没有内容"),
    "told_missing": Entry("it has no “{name}”", "没有 “{name}”"),
    "told_text_orphan": Entry("it belongs to no message. Expected “Name: text”.", "不属于任何消息。应为“名字：内容”。"),
    "told_text_no_message": Entry(
        "it is no message. Expected “Name: text”; a line that goes on with a message may begin with a space.",
        "不是消息。应为“名字：内容”；接着上一条的行可以以空格开头。",
    ),
    # What was mended, or left out
    "found_because": Entry("{said}: {why}", "{said}：{why}"),
    "found_where": Entry("{places} · {said}", "{places} · {said}"),
    "told_left_broken": Entry(
        "{n} part could not be read and was left out|{n} parts could not be read and were left out", "{n} 处无法读取，已略过"
    ),
    "told_left_above": Entry(
        "{n} line belongs to no message and was left out|{n} lines belong to no message and were left out", "{n} 行不属于任何消息，已略过"
    ),
    "told_left_twice": Entry(
        "{n} message stood there twice and came in once|{n} messages stood there twice and came in once", "{n} 条重复的消息只导入一次"
    ),
    "told_left_rest": Entry("Everything from here on was left out: the limit is {most}", "从这里起全部略过：上限为 {most}"),
    "told_left_pictures": Entry(
        "Left out: {n} picture, file or tool call|Left out: {n} pictures, files or tool calls", "略过 {n} 个图片、文件或工具调用"
    ),
    "told_json_mended": Entry("The JSON is damaged; what is sound in it was read", "JSON 有损坏，完好的部分已读入"),
    "told_guessed_encoding": Entry("Not UTF-8; it was read as {name}", "不是 UTF-8，按 {name} 读取"),
    "told_replaced": Entry(
        "Characters that could not be kept, shown as \ufffd: {n}",
        "无法保留、显示为 \ufffd 的字符：{n} 个",
    ),
    "told_bad_dates": Entry(
        "Messages with a date that cannot be read, placed by those around them: {n} (the first: {date})",
        "{n} 条消息的日期无法识别（如 {date}），按前后消息排列",
    ),
    "told_cut_names": Entry(
        "{n} name was cut at {most} characters|{n} names were cut at {most} characters", "{n} 个名字截短为 {most} 个字"
    ),
    "told_cut_wordings": Entry(
        "Messages with more than {most} wordings, of which the others were left out: {n}",
        "{n} 条消息有超过 {most} 个版本，多出的已略过",
    ),
    "told_long_messages": Entry(
        "Messages longer than {most} characters: {n}. They are kept, up to {kept} each; memory reads the first {most}",
        "{n} 条消息超过 {most} 个字。内容保留（每条最多 {kept} 个字），记忆只读前 {most} 个字",
    ),
    "told_other_text": Entry(
        "Texts that were something else, written out: {n}",
        "{n} 处内容不是文字，已转成文字",
    ),
    "told_other_flags": Entry(
        "“{name}” is neither true nor false: {n}",
        "{n} 处 “{name}” 不是 true 或 false",
    ),
    "told_twin_fields": Entry(
        "Objects with a field twice ({name}), of which the latter counts: {n}",
        "{n} 处字段重复（{name}），以后一个为准",
    ),
    "told_twin_ids": Entry(
        "Messages with an id that another has ({name}), which got one of their own: {n}",
        "{n} 条消息的编号与别的重复（{name}），已另给编号",
    ),
    "told_many_names": Entry("Other names of you or of the character: {names}", "你或角色的其他名字：{names}"),
    # What a person should know of
    "told_left_conversations": Entry(
        "Left out of this file: {n} conversation without messages|Left out of this file: {n} conversations without messages",
        "略过文件里 {n} 段没有消息的对话",
    ),
    "told_left_sessions": Entry(
        "Left out: {n} session without messages|Left out: {n} sessions without messages", "略过 {n} 场没有消息的对话"
    ),
    "told_left_captions": Entry(
        "Left out: {n} caption of a picture beside words|Left out: {n} captions of pictures beside words", "略过 {n} 条图片说明"
    ),
    "told_left_empty": Entry("Left out: {n} empty message|Left out: {n} empty messages", "略过 {n} 条空消息"),
    "told_left_system": Entry(
        "Left out: {n} hidden line of the program|Left out: {n} hidden lines of the program", "略过 {n} 条软件自己的隐藏行"
    ),
    "told_left_dates": Entry("Left out: {n} date without a message|Left out: {n} dates without a message", "略过 {n} 个没有消息的日期"),
    "told_other_fields": Entry("Not read: {names}", "没有读取：{names}"),
    "told_many_speakers": Entry(
        "{n} speak here: {names}. All but you speak as characters.", "有 {n} 人说话：{names}。除你以外都作为角色。"
    ),
    "told_dated_back": Entry(
        "{n} message is dated before the one above it; the file’s order is kept|{n} messages are dated before the one above them; the file’s order is kept",
        "{n} 条消息的日期早于上一条，保留文件里的顺序",
    ),
    "told_no_dates": Entry(
        "No dates in the file: everything gets the day it was last changed, {day}", "文件里没有日期：全部记为文件最后修改的那天，{day}"
    ),
    "told_before_first": Entry(
        "{n} message before the first date is placed just before it|{n} messages before the first date are placed just before it",
        "第一个日期之前的 {n} 条消息，排在它的前面",
    ),
}
