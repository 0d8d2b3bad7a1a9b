"""The sentences of character cards and lorebooks that come in as files."""

from __future__ import annotations

from ui.entry import Entry

CARDS: dict[str, Entry] = {
    "error_card_unknown": Entry(
        "This is neither a character card nor a lorebook. Cards are PNG pictures, JSON files or CHARX archives. Nothing was added.",
        "这既不是角色卡，也不是世界书。角色卡是 PNG 图片、JSON 文件或 CHARX 压缩包。没有添加任何内容。",
    ),
    "error_card_picture_empty": Entry(
        "This picture holds no character. It may have been saved anew on its way, which leaves the card out: look for the original file. Nothing was added.",
        "这张图片里没有角色。图片可能在途中被重新保存，角色数据因此丢失：请找到原始文件。没有添加任何内容。",
    ),
    "error_card_picture_unusable": Entry(
        "This picture cannot be used: it must be a whole PNG of at most {pixels} pixels. Nothing was changed.",
        "这张图片无法使用：必须是完整的 PNG，最多 {pixels} 像素。没有任何改动。",
    ),
    "error_card_damaged": Entry(
        "This file is damaged or was not copied whole (at {where}). Fetch it once more. Nothing was added.",
        "文件已损坏或没有复制完整（位置：{where}）。请重新获取。没有添加任何内容。",
    ),
    "error_card_too_large": Entry(
        "This file is too large: {where} may have {limit} MB. Nothing was added.", "文件过大：{where} 最多 {limit} MB。没有添加任何内容。"
    ),
    "error_card_too_long": Entry(
        "{field} in this file is longer than {limit} characters. Nothing was added.", "文件中的 {field} 超过 {limit} 字。没有添加任何内容。"
    ),
    "error_card_too_many": Entry(
        "{field} in this file has more than {limit} parts. Nothing was added.", "文件中的 {field} 超过 {limit} 项。没有添加任何内容。"
    ),
    "error_card_too_deep": Entry(
        "The data in this file is nested more than {limit} levels deep. No card needs that. Nothing was added.",
        "文件中的数据嵌套超过 {limit} 层，正常的角色卡不会这样。没有添加任何内容。",
    ),
    "error_card_not_json": Entry(
        "What should be the character ({where}) is not valid JSON in UTF-8: line {line}, column {column}. Nothing was added.",
        "本应是角色数据的部分（{where}）不是有效的 UTF-8 JSON：第 {line} 行，第 {column} 列。没有添加任何内容。",
    ),
    "error_card_key_twice": Entry(
        "“{key}” stands twice in one place of this file, which does not say which of them holds. Remove one. Nothing was added.",
        "“{key}”在文件的同一处出现了两次，无法判断以哪个为准。请删去一个。没有添加任何内容。",
    ),
    "error_card_text_broken": Entry(
        "{field} in this file holds a NUL or half a character, which cannot be kept. Nothing was added.",
        "文件中的 {field} 含有 NUL 或半个字符，无法保存。没有添加任何内容。",
    ),
    "error_card_number_broken": Entry(
        "This file holds {number}, which is no number that can be kept. Nothing was added.",
        "文件中的 {number} 不是可以保存的数字。没有添加任何内容。",
    ),
    "error_card_field_wrong": Entry(
        "{field} in this file is not what it must be, so nothing can be read from it. Nothing was added.",
        "文件中的 {field} 不是应有的类型，无法读取。没有添加任何内容。",
    ),
    "error_card_nameless": Entry(
        "The character in this file has no name. Give it one and try again. Nothing was added.",
        "文件中的角色没有名字。请补上名字后再试。没有添加任何内容。",
    ),
    "error_card_archive_unsafe": Entry(
        "This archive was not opened: {member} leads out of it, or pretends to be what it is not. Nothing was added.",
        "没有打开这个压缩包：{member} 指向包外，或者名不副实。没有添加任何内容。",
    ),
    "error_card_archive_locked": Entry(
        "This archive is encrypted. Pack it again without a password. Nothing was added.",
        "这个压缩包已加密。请去掉密码重新打包。没有添加任何内容。",
    ),
}
