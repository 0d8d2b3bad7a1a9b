"""The sentences about a message that is read aloud, or translated."""

from __future__ import annotations

from ui.entry import Entry

SPEAKING: dict[str, Entry] = {
    "speak": Entry("Read aloud", "朗读"),
    "speak_stop": Entry("Stop reading aloud", "停止朗读"),
    "speak_no_voice": Entry("This computer has no voice for {language}.", "这台设备没有{language}的语音。"),
    "speak_failed": Entry("The voice of this computer failed.", "这台设备的语音出错了。"),
    "speak_means": Entry(
        "“Read aloud”, in the menu of a message, uses the voices of this computer; no text leaves it for that.",
        "消息菜单里的“朗读”使用这台设备自带的语音，文字不会为此发往别处。",
    ),
    "translate": Entry("Translate into {language}", "翻译成{language}"),
    "translate_stop": Entry("Stop translating", "停止翻译"),
    "translate_away": Entry("Put the translation away", "收起译文"),
    "translating": Entry("Being translated …", "正在翻译…"),
    "translation": Entry("Translation", "译文"),
    "translated_by": Entry("Translated by {model}; kept nowhere.", "由{model}翻译，不会保存。"),
    "use_translate": Entry("Translations", "翻译"),
    "error_nobody_translates": Entry(
        "The small demo model that comes with Keepsake cannot translate. Choose another one (Models).",
        "自带的演示模型不能翻译。请换一个模型（模型设置）。",
    ),
    "error_translation_too_long": Entry("This message is too long for {model} to translate.", "这条消息太长，{model}翻译不了。"),
    "error_translation_stopped": Entry("The translation was stopped. Nothing was changed.", "翻译已停止。没有任何改动。"),
    "speak_none": Entry(
        "This browser has no voices of this computer’s own, so messages cannot be read aloud here.",
        "这个浏览器没有设备自带的语音，所以这里不能朗读消息。",
    ),
}
