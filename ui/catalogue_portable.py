"""The sentences of conversations that leave or come in as files."""

from __future__ import annotations

from ui.entry import Entry

PORTABLE: dict[str, Entry] = {
    "size_kb": Entry("{n} KB", "{n} KB"),
    "size_mb": Entry("{size} MB", "{size} MB"),
    # Out
    "export": Entry("Export", "导出"),
    "export_chat": Entry("Export the conversation", "导出对话"),
    "export_bundle": Entry("Everything, for Keepsake", "全部内容，供 Keepsake 使用"),
    "export_bundle_means": Entry(
        "Every wording, branch, memory and receipt, to bring it back as it is (.keepsake.jsonl). Your own lorebooks stay here; they leave by their own export.",
        "所有说法、分支、记忆和回执，可原样导回（.keepsake.jsonl）。你自己的世界书不在其中，请另行导出。",
    ),
    "export_jsonl": Entry("For other role-play programs", "供其他角色扮演程序使用"),
    "export_jsonl_means": Entry(
        "The open branch as SillyTavern keeps chats, all wordings as swipes (.jsonl)",
        "当前分支，采用 SillyTavern 的对话格式，各种说法作为 swipes（.jsonl）",
    ),
    "export_markdown": Entry("For reading", "供阅读"),
    "export_markdown_means": Entry("The open branch as Markdown, by days (.md)", "当前分支，按日期排列的 Markdown（.md）"),
    "export_text": Entry("Plain text", "纯文本"),
    "export_text_means": Entry(
        "The open branch, a name before each message, without what is hidden from the model (.txt)",
        "当前分支，每条消息前有名字，不含对模型隐藏的内容（.txt）",
    ),
    "export_everything": Entry("Everything that is yours, as one archive", "你的全部内容，打包成一个文件"),
    "export_everything_means": Entry(
        "All conversations, characters and lorebooks (.zip), each as a file that comes in by itself, and personas as a list with pictures. Without what "
        "is in the bin.",
        "所有对话、角色和世界书（.zip），每一样都是可以单独导入的文件；身份是一份附图片的列表。不含回收站里的内容。",
    ),
    "exporting": Entry("Writing the file …", "正在写入文件…"),
    "exported": Entry("{name} ({size}) goes to your downloads.", "{name}（{size}）已交给浏览器下载。"),
    "unwritten_title": Entry("Not everything is in the archive", "有些内容不在文件里"),
    "unwritten_means": Entry(
        "{name} goes to your downloads without what stands below; the reasons are in it too (LEFT-OUT.txt). Nothing here was changed: it is still where it was.",
        "{name} 已交给浏览器下载，但缺少下面列出的内容；文件里的 LEFT-OUT.txt 也写明了原因。这里没有任何改动，它们都还在原处。",
    ),
    "unwritten_conversations": Entry("conversation", "对话"),
    "unwritten_characters": Entry("character", "角色"),
    "unwritten_lorebooks": Entry("lorebook", "世界书"),
    "unwritten_personas": Entry("picture of a persona", "身份的图片"),
    "error_export_gone": Entry(
        "This file was fetched already, or has waited too long. Export the conversation again.",
        "这个文件已经取走，或等待太久。请重新导出对话。",
    ),
    "error_exports_running": Entry(
        "Several of your exports are not written yet. Wait for one of them, then try again.",
        "你有几个导出还没写完。请等其中一个完成后再试。",
    ),
    # In
    "import": Entry("Import", "导入"),
    "import_chat": Entry("Import a conversation", "导入对话"),
    "import_welcome": Entry("Have one in a file? Import it", "手上有导出的对话？导入文件"),
    "import_means": Entry(
        "A file that Keepsake exported brings a conversation back whole: every wording, branch and memory. Chats of other programs come in too (.jsonl of "
        "SillyTavern and the like; JSON of RisuAI, Agnai, KoboldAI Lite, "
        "text-generation-webui, Open WebUI or ChatGPT; diaries, or plain text “Name: what was said”): you see what was found before anything is imported.",
        "从 Keepsake 导出的文件可以把整段对话带回来：所有版本、分支和记忆。其他软件的聊天记录也可以（SillyTavern 等的 .jsonl，"
        "RisuAI、Agnai、KoboldAI Lite、text-generation-webui、Open WebUI、ChatGPT 的 JSON，日记，或“名字：内容”的纯文本）："
        "导入前会先让你看到找到了什么。",
    ),
    "import_choose": Entry("Choose a file", "选择文件"),
    "import_drop": Entry("or drop it here", "或把文件拖到这里"),
    "import_drop_anywhere": Entry("Drop a conversation or character cards to import them", "松开即可导入对话或角色卡"),
    "stage_sending": Entry("Reading the file …", "正在读取文件…"),
    "stage_checking": Entry("Checking every line …", "正在逐行检查…"),
    "stage_writing": Entry("Bringing the conversation in …", "正在导入对话…"),
    "import_cancelled": Entry("The import was cancelled.", "已取消导入。"),
    "import_broken": Entry(
        "The connection to Keepsake was lost before the import was done. When the server is back, look into the list before you try again.",
        "导入完成前与 Keepsake 的连接断开了。等服务器恢复后，请先看看对话列表再重试。",
    ),
    "import_open": Entry("Open it", "打开"),
    "imported": Entry("Imported: {name}", "已导入：{name}"),
    "imported_copy": Entry(
        "Imported. It was here already, so this is a second one beside it.", "已导入。这段对话原来就在这里，所以这是并列的另一段。"
    ),
    # Refused
    "refused_content": Entry("A line of this file says what it may not.", "文件中有一行的内容不合格式。"),
    "refused_strange": Entry(
        "This is no conversation that Keepsake exported; those end in .keepsake.jsonl.",
        "这不是 Keepsake 导出的对话（文件名以 .keepsake.jsonl 结尾）。",
    ),
    "refused_newer": Entry(
        "This file was written by a newer Keepsake. Update this one, then import it.",
        "这个文件由更新版本的 Keepsake 写成。请先更新再导入。",
    ),
    "refused_cut": Entry(
        "The end of this file is missing: it was not copied or downloaded whole.", "文件不完整，缺少结尾：可能没有复制或下载完。"
    ),
    "refused_damaged": Entry("This file was changed or damaged since it was exported.", "文件在导出之后被改动过，或已损坏。"),
    "refused_large": Entry("This file is larger than what can be imported.", "文件超出可以导入的大小。"),
    "refused_taken": Entry(
        "Parts of this file belong to another conversation that is here already.", "文件中有些内容属于这里已有的另一段对话。"
    ),
    "refused_line": Entry("Line {n}:", "第 {n} 行："),
    "refused_nothing": Entry("Nothing was imported, and nothing here was changed.", "没有导入任何内容，这里也没有任何改动。"),
    "error_file_heavy": Entry(
        "Reading this file takes more memory or time than an honest one does. Nothing was changed.",
        "读取这个文件所需的内存或时间超出了正常范围。没有任何改动。",
    ),
    "error_import_running": Entry(
        "Another import is under way. Wait for its end, then try again.", "另一个导入正在进行。请等它结束后再试。"
    ),
    "error_import_no_room": Entry(
        "The disk that holds the data folder has {free} MB left, too little for this import. Free some space, then try again.",
        "数据文件夹所在的磁盘只剩 {free} MB，不够导入。请先腾出空间再试。",
    ),
}
