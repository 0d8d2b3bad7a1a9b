"""The sentences of character cards and lorebooks that come in as files."""

from __future__ import annotations

from ui.entry import Entry

CARDS: dict[str, Entry] = {
    # In
    "import_cards": Entry("Import characters", "导入角色"),
    "import_cards_means": Entry(
        "Character cards of other programs: PNG, JPEG, WebP and AVIF pictures, JSON files and CHARX archives, several at once. Nothing of a card is lost: what is not "
        "used here is kept and leaves with it again.",
        "其他程序的角色卡：PNG、JPEG、WebP、AVIF 图片、JSON 文件和 CHARX 压缩包，可一次选多个。卡里的内容不会丢失：这里用不到的也会保留，导出时原样带走。",
    ),
    "card_choose": Entry("Choose files", "选择文件"),
    "card_drop": Entry("or drop them anywhere on the page", "或把文件拖到页面任意处"),
    "card_waiting": Entry("Waits for its turn.", "排队等待。"),
    "card_left": Entry("Left out. Nothing was added.", "已跳过，没有添加。"),
    "card_added": Entry("{name} is in your list.", "{name}已在你的列表里。"),
    "card_lorebook": Entry(
        "{name} is among your lorebooks. Open it to say where it is read.", "{name}已加入你的世界书。打开它来选择在哪里生效。"
    ),
    "card_updated": Entry("{name} was updated.", "{name}已更新。"),
    "card_same": Entry(
        "This very card is in your list already, as {there}. Nothing was added.", "这张卡已经在你的列表里了，名为{there}。没有添加。"
    ),
    "card_named": Entry(
        "One called {there} is in your list, from another card. What shall become of this one?",
        "你的列表里已有{there}，来自另一张卡。这一张怎么处理？",
    ),
    "card_mended_first": Entry(
        "{name} can be taken in. Something in the file had to be repaired or is missing: see below. Nothing was added yet.",
        "可以导入{name}。文件里有内容经过修补或缺失：见下。还没有添加。",
    ),
    "card_take": Entry("Take it in", "导入"),
    "card_name": Entry("Name", "名字"),
    "card_update": Entry("Update", "更新"),
    "card_update_means": Entry(
        "Updated, it goes on in its conversations with the new card and picture; the card as it was goes to the bin.",
        "更新后，已有的对话会用新的卡和图片继续；原来的卡会放进回收站。",
    ),
    "card_beside": Entry("Add beside it", "另存一个"),
    "card_once_more": Entry("Add it once more", "再添加一个"),
    "card_leave": Entry("Leave it out", "跳过"),
    "error_card_broken": Entry(
        "The connection to Keepsake was lost. Look into the list before you try again.", "与 Keepsake 的连接断开了。请先看看列表再重试。"
    ),
    "by_creator": Entry("by {creator}", "作者：{creator}"),
    # The report
    "card_notes": Entry("Notes of who made it", "作者的说明"),
    "card_used": Entry("Used: {n} field|Used: {n} fields", "使用：{n} 项"),
    "card_kept": Entry("Kept, not used: {n} place|Kept, not used: {n} places", "保留但不使用：{n} 处"),
    "card_coerced": Entry("Read otherwise than it stands: {n} place|Read otherwise than it stands: {n} places", "换了一种读法：{n} 处"),
    "card_mended": Entry("Repaired: {n} place|Repaired: {n} places", "已修补：{n} 处"),
    "card_dropped": Entry("Left out: {n} place|Left out: {n} places", "略去：{n} 处"),
    "card_more_places": Entry("and {n} more|and {n} more", "还有 {n} 处"),
    "card_unlisted": Entry("{n} more is not listed.|{n} more are not listed.", "另有 {n} 处没有列出。"),
    "form_v1": Entry("Character Card V1", "角色卡 V1"),
    "form_v2": Entry("Character Card V2", "角色卡 V2"),
    "form_v3": Entry("Character Card V3", "角色卡 V3"),
    "form_pygmalion": Entry("Pygmalion character", "Pygmalion 角色"),
    "form_world": Entry("World Info", "World Info 世界书"),
    "form_lorebook_v3": Entry("Lorebook V3", "世界书 V3"),
    "form_lorebook_bare": Entry("Lorebook of a card", "角色卡的世界书"),
    "container_png": Entry("PNG picture", "PNG 图片"),
    "container_json": Entry("JSON file", "JSON 文件"),
    "container_charx": Entry("CHARX archive", "CHARX 压缩包"),
    "container_picture": Entry("Picture (JPEG, WebP or AVIF)", "图片（JPEG、WebP 或 AVIF）"),
    "field_alternate_greetings": Entry("Other first messages", "备选开场白"),
    "field_group_only_greetings": Entry("First messages in a group", "多人对话的开场白"),
    "field_creator": Entry("Who made it", "作者"),
    "field_nickname": Entry("Nickname", "昵称"),
    "field_depth_prompt": Entry("Note within the conversation", "对话中的提示"),
    "field_character_book": Entry("Lorebook", "世界书"),
    "field_assets": Entry("Pictures", "图片"),
    "remark_unused": Entry("Nothing uses this here:", "这里用不到："),
    "remark_unknown_key": Entry("Not known here:", "这里不认识："),
    "remark_extension": Entry("Of another program:", "属于其他程序："),
    "remark_beside_data": Entry("Repeats a field for older programs:", "为旧程序重复的字段："),
    "remark_member": Entry("File of the archive:", "压缩包里的文件："),
    "remark_decorator": Entry("Decorator of a lorebook entry:", "世界书条目的修饰："),
    "remark_missing": Entry("Was not there, read as empty:", "缺少，按空白读取："),
    "remark_null": Entry("Was null, read as empty:", "是 null，按空白读取："),
    "remark_number_as_text": Entry("A number, read as text:", "数字，按文本读取："),
    "remark_flag_as_text": Entry("Yes or no, read as text:", "是与否，按文本读取："),
    "remark_list_as_text": Entry("A list, read as lines:", "列表，按多行文本读取："),
    "remark_object_as_text": Entry("An object, read as the text in it:", "对象，按其中的文本读取："),
    "remark_text_as_list": Entry("One value, read as a list of one:", "单个值，按只有一项的列表读取："),
    "remark_commas_as_list": Entry("A text, read as a list with commas:", "文本，按逗号分隔的列表读取："),
    "remark_object_as_list": Entry("An object, read as a list:", "对象，按列表读取："),
    "remark_text_as_number": Entry("A text, read as a number:", "文本，按数字读取："),
    "remark_text_as_flag": Entry("A text, read as yes or no:", "文本，按是与否读取："),
    "remark_number_as_flag": Entry("A number, read as yes or no:", "数字，按是与否读取："),
    "remark_milliseconds": Entry("A date in milliseconds, read in seconds:", "以毫秒计的日期，按秒读取："),
    "remark_date_as_seconds": Entry("A date in words, read in seconds:", "文字日期，按秒读取："),
    "remark_one_line": Entry("Put on one line:", "并成一行："),
    "remark_shortened": Entry("Shortened, the whole is kept:", "已缩短，全文保留："),
    "remark_not_base64": Entry("The card stood in the picture as plain text:", "图片里的角色数据是明文："),
    "remark_base64_mended": Entry("The card in the picture was mended:", "图片里的角色数据经过修补："),
    "remark_compressed_chunk": Entry("The card in the picture was compressed:", "图片里的角色数据是压缩的："),
    "remark_encoding": Entry("Letters that were not in UTF-8, read as:", "文字不是 UTF-8，按此编码读取："),
    "remark_raw_line_break": Entry("Line breaks that stood as they are in a text of JSON:", "JSON 文本里未转义的换行："),
    "remark_trailing_comma": Entry("A comma too many:", "多余的逗号："),
    "remark_comma_missing": Entry("A comma was missing:", "缺少逗号："),
    "remark_wide_punctuation": Entry("Full-width punctuation, read as JSON:", "全角标点，按 JSON 读取："),
    "remark_comment": Entry("A comment, which JSON has not, was left out:", "略去了 JSON 里不该有的注释："),
    "remark_quotes": Entry("Quotation marks were missing or of another kind:", "引号缺少或种类不对："),
    "remark_word": Entry("A word of another language, read as JSON:", "其他语言的写法，按 JSON 读取："),
    "remark_escape": Entry("A backslash before a letter that needs none:", "多余的反斜杠："),
    "remark_before_the_beginning": Entry("What came before the beginning was left out (characters):", "略去了开头之前的内容（字符数）："),
    "remark_unclosed": Entry("The last brackets were missing; look whether the end is there:", "缺少末尾的括号，请检查结尾是否完整："),
    "remark_after_the_end": Entry("What came after the end was left out (characters):", "略去了结尾之后的内容（字符数）："),
    "remark_key_twice": Entry("Stood twice, the last counts:", "出现了两次，以最后一个为准："),
    "remark_unsafe_key": Entry("Left out, since other programs could be misled by it:", "已略去，因为它可能误导其他程序："),
    "remark_number_broken": Entry("Not a number that can be kept:", "不是可以保存的数字："),
    "remark_letters_broken": Entry("Half a character, shown as �, or a NUL, left out:", "半个字符（显示为 �）或 NUL（已略去）："),
    "remark_json_in_text": Entry("JSON within a text, unpacked:", "文本里的 JSON，已展开："),
    "remark_in_a_list": Entry("The only one in a list:", "列表里唯一的一项："),
    "remark_wrapped": Entry("Stood within another object:", "包在另一个对象里："),
    "remark_key_spelled": Entry("A name that is spelled otherwise:", "名称的写法不同："),
    "remark_spec_spelled": Entry("The name of the format is spelled otherwise:", "格式名称的写法不同："),
    "remark_no_data": Entry("Its fields stood at the top:", "各项写在了最外层："),
    "remark_from_beside": Entry("Missing in its place, taken from the top:", "原处缺少，取自最外层："),
    "remark_named_after_file": Entry("Has no name of its own, named after the file:", "没有名字，按文件名命名："),
    "remark_book_converted": Entry("Entries converted from:", "条目转换自："),
    "remark_checksum": Entry("A wrong checksum, read all the same:", "校验和不对，仍已读取："),
    "remark_damaged_card": Entry("Damaged; the other card in this file counts:", "已损坏，以文件里的另一张卡为准："),
    "remark_in_a_folder": Entry("Stood in a folder of the archive:", "在压缩包的文件夹里："),
    "remark_picture_anew": Entry("A picture of another kind, drawn anew as:", "其他格式的图片，重新绘制为："),
    "remark_picture_lost": Entry(
        "The picture is damaged or cut off and was left out; the card in it is whole:", "图片损坏或不完整，已略去；其中的角色卡是完整的："
    ),
    "remark_entry_unread": Entry("An entry that says nothing (its number):", "没有内容的条目（序号）："),
    "remark_entry_folder": Entry("A folder of entries, which is not needed here:", "条目的文件夹，这里不需要："),
    "remark_wrong_type": Entry("Of a kind that says nothing here:", "类型不对，读不出内容："),
    "remark_empty_item": Entry("Empty in a list:", "列表里的空项："),
    "remark_value_unknown": Entry("A value that is not known here:", "不认识的值："),
    "remark_version_unknown": Entry("A version that is not known here:", "不认识的版本："),
    "remark_older_card": Entry("An older card beside the newer one, which counts:", "新卡旁边的旧卡（以新卡为准）："),
    "remark_repeated_chunk": Entry("A second one of the same name:", "同名的第二份："),
    "remark_trailing_bytes": Entry("Bytes after the end of the picture:", "图片结尾之后的字节："),
    "remark_picture_before": Entry("The picture that the archive hangs on:", "压缩包前面附带的图片："),
    "remark_asset_missing": Entry("Named, but not in the archive:", "提到了，但压缩包里没有："),
    "remark_asset_remote": Entry("At an address, which is never visited:", "在某个网址上，不会去访问："),
    # In the form
    "greetings_kept": Entry(
        "{n} other first message stays with it, to be leafed through.|{n} other first messages stay with it, to be leafed through.",
        "另有 {n} 条备选开场白，会随角色保留，聊天时可以翻看。",
    ),
    "lore_kept": Entry("Its lorebook stays with it: {n} entry.|Its lorebook stays with it: {n} entries.", "随角色保留的世界书：{n} 条。"),
    # Out
    "export_card": Entry("Export as a card", "导出为角色卡"),
    "export_character": Entry("Export {name}", "导出{name}"),
    "way_png": Entry("PNG picture", "PNG 图片"),
    "way_png_means": Entry("Holds the card in both versions; what most programs read.", "包含两种版本的角色卡，大多数程序都能读取。"),
    "way_v3": Entry("JSON file, version 3", "JSON 文件（V3）"),
    "way_v3_means": Entry("Everything that the card says, without a picture.", "卡里的全部内容，不含图片。"),
    "way_v2": Entry("JSON file, version 2", "JSON 文件（V2）"),
    "way_v2_means": Entry("For older programs, without a picture.", "给旧程序用，不含图片。"),
    "way_v2_without": Entry("Has no room for", "放不下："),
    "way_came": Entry("The file as it came", "原来的文件"),
    "way_came_means": Entry("With its faults, and without what was changed here.", "保留原有的错误，不含在这里做的修改。"),
    "way_charx": Entry("CHARX archive", "CHARX 压缩包"),
    "way_charx_means": Entry("The card with every file it came with.", "角色卡连同随附的所有文件。"),
    "way_without_members": Entry("Without {n} file of its archive.|Without {n} files of its archive.", "不含压缩包里的 {n} 个文件。"),
    "with_private": Entry("Also what another program noted there for its owner alone:", "连同其他程序只为原主人记下的内容："),
    # What can be wrong
    "error_card_unknown": Entry(
        "This is neither a character card nor a lorebook. Cards are PNG pictures, JSON files or CHARX archives. Nothing was added.",
        "这既不是角色卡，也不是世界书。角色卡是 PNG 图片、JSON 文件或 CHARX 压缩包。没有添加任何内容。",
    ),
    "error_card_is_lorebook": Entry(
        "This is a lorebook without a character. Nothing was added.",
        "这是一本单独的世界书，没有角色。没有添加任何内容。",
    ),
    "error_card_several": Entry(
        "This file holds {n} characters. Save each in a file of its own and bring them in together. Nothing was added.",
        "这个文件里有 {n} 个角色。请把每个角色存成单独的文件再一起导入。没有添加任何内容。",
    ),
    "error_lorebook_empty": Entry(
        "This lorebook holds no entry that can be read ({n} were looked at). Nothing was added.",
        "这本世界书里没有可以读取的条目（查看了 {n} 条）。没有添加任何内容。",
    ),
    "error_card_archive_empty": Entry(
        "There is no card.json in this archive, but {names}. If one of these is the card, unpack it and choose that. Nothing was added.",
        "压缩包里没有 card.json，只有 {names}。如果其中有角色卡，请先解压再选择它。没有添加任何内容。",
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
        "What should be the character ({where}) cannot be read as JSON: line {line}, column {column}. Nothing was added.",
        "本应是角色数据的部分（{where}）无法按 JSON 读取：第 {line} 行，第 {column} 列。没有添加任何内容。",
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
        "This archive was not opened: {member} leads out of it, is a program, or pretends to be what it is not. Nothing was added.",
        "没有打开这个压缩包：{member} 指向包外、是程序，或者名不副实。没有添加任何内容。",
    ),
    "error_card_archive_locked": Entry(
        "This archive is encrypted. Pack it again without a password. Nothing was added.",
        "这个压缩包已加密。请去掉密码重新打包。没有添加任何内容。",
    ),
}
