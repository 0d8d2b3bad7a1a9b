"""What is said of each error, by its code: what happened, what was kept, what to do. Errors of one area stand with its other sentences."""

from __future__ import annotations

from ui.entry import Entry

ERRORS: dict[str, Entry] = {
    "error_chat_not_found": Entry(
        "This conversation does not exist or is not yours. Nothing was changed; choose one from the list.",
        "这段对话不存在，或不属于你。没有改动任何内容，请从列表中选择。",
    ),
    "error_message_empty": Entry("There is nothing to send yet.", "还没有要发送的内容。"),
    "error_message_too_long": Entry(
        "This message has {length} characters; {limit} is the most. It was not sent and stays in the box: shorten or split it.",
        "这条消息有 {length} 字，最多 {limit} 字。没有发送，仍在输入框里：请缩短或分成几条。",
    ),
    "error_storage_damaged": Entry(
        "The database is damaged ({reason}). Nothing was changed. “python -m storage backups” lists its copies, “python -m storage restore FILE” brings one back.",
        "数据库已损坏（{reason}）。没有任何改动。用 “python -m storage backups” 查看备份，用 “python -m storage restore 文件” 恢复其中一份。",
    ),
    "error_changed_elsewhere": Entry(
        "This conversation was changed in another tab. Nothing was done here; what you see now is how it stands.",
        "另一个标签页改动了这段对话。这里什么也没有做；现在显示的是最新的样子。",
    ),
    "error_cannot_undo": Entry("This cannot be taken back any more.", "已经无法撤销。"),
    "error_last_branch": Entry("This is the only branch of the chat; delete the chat instead.", "这是唯一的分支；要删就删除整个对话。"),
    "error_day_not_possible": Entry(
        "A story’s day may be from the year {first} to the year {last}.", "故事里的日期可以从公元 {first} 年到 {last} 年。"
    ),
    "error_no_such_sample": Entry("There is no such sample story. Nothing was changed.", "没有这个样例故事。没有任何改动。"),
    "error_passing_gone": Entry(
        "This temporary conversation is gone: it was left, or its page was closed.", "这段临时对话已经消失：已离开，或页面已关闭。"
    ),
    "error_passing_too_many": Entry(
        "There are {limit} temporary conversations already. Leave one, and begin again.", "已有 {limit} 段临时对话。请先离开一段再开始。"
    ),
    "error_note_too_long": Entry(
        "This note has {length} characters; {limit} is the most. Nothing was changed.",
        "附注有 {length} 个字，最多 {limit} 个。没有任何改动。",
    ),
    "error_nothing_to_continue": Entry("There is no reply to continue.", "没有可以接着写的回复。"),
    "error_name_too_long": Entry("A name may have {limit} characters. Nothing was changed.", "名称最多 {limit} 个字。没有任何改动。"),
    "error_memory_not_found": Entry(
        "This memory is not there any more: it was deleted, or made anew from a changed text. Nothing was changed.",
        "这条记忆已经不在了：它被删除了，或者因原文改动而重新生成。没有任何改动。",
    ),
    "error_memory_text_empty": Entry(
        "A memory without words cannot be kept; delete it instead. Nothing was changed.",
        "没有文字的记忆无法保存，请改为删除。没有任何改动。",
    ),
    "error_memory_text_too_long": Entry(
        "This has {length} characters; {limit} is the most. Nothing was changed.", "这里有 {length} 个字，最多 {limit} 个。没有任何改动。"
    ),
    "error_memory_is_said": Entry(
        "This is what was said, word for word. Edit, hide or delete the message itself, or leave this out, so that it is not recalled.",
        "这就是说过的原话。请编辑、隐藏或删除那条消息，或者把它排除，让它不被想起。",
    ),
    "error_memory_not_pinnable": Entry(
        "This cannot be pinned: what is known of you stands in every prompt anyway, and the story in none.",
        "这一项不能设为常驻：对你的了解本来就在每次提示里，故事则从不放入。",
    ),
    "error_task_not_waiting": Entry(
        "This task does not wait any more: it is being done, or was done. Nothing was changed.",
        "这项任务已不在等待：它正在进行或已经完成。没有任何改动。",
    ),
    "error_reply_running": Entry(
        "A reply is still being written in this conversation. Your text is kept: send it when the reply is done, or stop the reply.",
        "这段对话里的回复还在写。你的文字已保留：等回复写完再发，或先停止回复。",
    ),
    "error_nothing_to_tell": Entry("Nothing was said since the last chapter.", "上一章之后还没有说过什么。"),
    "error_nothing_to_answer": Entry("There is no message waiting for a reply.", "没有等待回复的消息。"),
    "error_model_unavailable": Entry(
        "Nobody answers at {model}. Nothing you wrote is lost. Check that the model runs, then ask for the reply again.",
        "{model} 没有应答。你写的内容都在。请确认模型正在运行，然后再请求回复。",
    ),
    "error_model_timeout": Entry(
        "{model} was silent for too long. What had come is kept. Ask for the reply again, or allow it more time.",
        "{model} 太久没有动静。已收到的部分保留了。请再次请求回复，或把等待时间调长。",
    ),
    "error_model_refused": Entry(
        "{model} refused the request. Nothing you wrote is lost. Check the key, the model's name and the address.",
        "{model} 拒绝了请求。你写的内容都在。请检查密钥、模型名和地址。",
    ),
    "error_package_missing": Entry(
        "This needs the package {package}, which a small installation leaves out. Nothing was changed. This brings it: {command}",
        "这需要软件包 {package}，精简安装里没有它。什么都没有改动。用这条命令补上：{command}",
    ),
    "error_model_busy": Entry(
        "{model} has too many requests at the moment. Nothing you wrote is lost. Wait a little, then ask again.",
        "{model} 目前请求太多。你写的内容都在。稍等一会儿再请求。",
    ),
    "error_model_failed": Entry(
        "{model} failed before the reply was done. What had come is kept. Ask for the reply again.",
        "{model} 在回复写完前出错了。已收到的部分保留了。请再次请求回复。",
    ),
    "error_model_only_thought": Entry(
        "{model} thought, and gave no reply. Thinking counts among the tokens that a reply may have: give it more "
        "(Models, Sampling), or switch the thinking off where the model runs.",
        "{model} 只顾着思考，没有写出回复。思考也算在回复的词元数里：请把上限调大（模型→采样），或在模型运行的地方关闭思考。",
    ),
    "error_model_wordless": Entry(
        "{model} ended its reply without a word. Nothing you wrote is lost. Ask for the reply again.",
        "{model} 一个字也没写就结束了。你写的内容都在。请再次请求回复。",
    ),
    "error_peer_refused": Entry(
        "The model’s address leads to where a machine is told its secrets, or to nobody. It is never asked: enter another under “Models”.",
        "这个模型的地址指向机器存放机密的地方，或不属于任何机器，因此从不访问。请在“模型”里换一个地址。",
    ),
    "error_answer_unreadable": Entry(
        "{model} gave no answer that could be read. Nothing was changed; it can be asked again.",
        "{model} 的回答无法读取。什么都没有改变，可以再次请求。",
    ),
    "error_storage_full": Entry(
        "The disk that holds the data folder is full. Nothing saved before was lost or changed, and what you just did was not saved: free some space and do it again.",
        "数据文件夹所在的磁盘已满。以前保存的都在，没有改动；刚才的操作没有存上：请腾出空间后再做一次。",
    ),
    "error_storage_read_only": Entry(
        "The data folder can only be read. Nothing saved before was lost or changed, and what you just did was not saved: make the folder writable and do it again.",
        "数据文件夹只能读取。以前保存的都在，没有改动；刚才的操作没有存上：请让它可以写入后再做一次。",
    ),
    "error_storage_failed": Entry(
        "The data folder could not be read or written. Nothing saved before was lost, and what you just wrote was not saved.",
        "数据文件夹无法读写。以前保存的都在，刚写的没有存上。",
    ),
    "error_erasure_unfinished": Entry(
        "What you erased is gone from here, but traces may still be on the disk. The next start of Keepsake removes them; free some disk space if it is full.",
        "你清除的内容在这里已不可见，但磁盘上可能还有痕迹。Keepsake 下次启动时会清除干净；如果磁盘已满，请先腾出空间。",
    ),
    "error_folder_busy": Entry(
        "The data folder is in use by another Keepsake. Nothing was changed. Close that one, or set KEEPSAKE_DATA_DIR to another folder.",
        "数据文件夹正被另一个 Keepsake 使用。没有改动任何内容。请关闭那一个，或把 KEEPSAKE_DATA_DIR 设为别的文件夹。",
    ),
    "error_folder_too_new": Entry(
        "This data folder was written by a newer Keepsake. Nothing was changed. Start the newer version, or set KEEPSAKE_DATA_DIR to another folder.",
        "这个数据文件夹由更新版本的 Keepsake 写成。没有改动任何内容。请启动新版本，或把 KEEPSAKE_DATA_DIR 设为别的文件夹。",
    ),
    "error_embedding_failed": Entry(
        "A text could not be indexed by meaning; it is kept, and found by its words.",
        "有一段文字无法按语义编入索引；它仍然保存着，可以按词找到。",
    ),
    "error_index_failed": Entry(
        "The memory index could not be used. Nothing is lost: it is built again from the database.",
        "记忆索引无法使用。没有丢失任何内容：它会从数据库重建。",
    ),
    "error_export_failed": Entry(
        "This could not be exported ({reason}). Nothing was changed.",
        "无法导出（{reason}）。没有改动任何内容。",
    ),
    "error_import_refused": Entry(
        "{file} was not imported. {where}: {reason}. Nothing was changed.",
        "{file}未被导入。{where}：{reason}。没有改动任何内容。",
    ),
    "error_group_size": Entry(
        "A conversation of several has 2 to {most} characters. Nothing was begun.",
        "多人对话要有 2 到 {most} 个角色。没有开始任何对话。",
    ),
    "error_group_names_alike": Entry(
        "Two of these characters have the same name, so nobody could tell who knows what. Rename one of them; nothing was begun.",
        "其中两个角色同名，分不清谁知道什么。请给其中一个改名；没有开始任何对话。",
    ),
    "error_not_of_group": Entry(
        "This character does not belong to this conversation. Nothing was changed.",
        "这个角色不在这段对话里。没有改动任何内容。",
    ),
    "error_nobody_there": Entry("{name} is not there. Bring them back first.", "{name}不在场。请先让对方回来。"),
    "error_unexpected": Entry(
        "Something went wrong that should not have; the server's log has the details. Nothing saved before was lost, and what you typed stays in the box.",
        "出了意料之外的问题，服务器日志里有详情。以前保存的都在，你输入的文字也还在输入框里。",
    ),
}
