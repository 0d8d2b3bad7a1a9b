"""Why data was refused, in Chinese: readers of data sets say it in English, where it happens, with what they name."""

from __future__ import annotations

import re

_REASONS: tuple[tuple[str, str], ...] = (
    (r"two conversations are called (.+)", "有两段对话都叫 {0}"),
    (r"no question has evidence that names a turn", "没有一道题的依据指向某一句话"),
    (r"no question has evidence", "没有一道题有依据"),
    (r"no question has options with a right one among them", "没有一道题带有选项和正确答案"),
    (r"no question names a step that answers it", "没有一道题指明回答它的步骤"),
    (r"it cannot be read to its end", "无法读到结尾"),
    (r"'(.*)' is no date", "“{0}”不是日期"),
    (r"(.+) is not an object", "{0} 不是对象"),
    (r"it is not an object", "它不是对象"),
    (r"a question is not an object", "有一道题不是对象"),
    (r"no memory names (.+)", "没有一条记忆提到 {0}"),
    (r"its field (.+) is missing or of another form", "字段 {0} 缺失或格式不对"),
    (r"its (.+) is missing or of another form", "{0} 缺失或格式不对"),
    (r"its question is no text of 1 to ([\d,]+) characters", "题目不是 1 到 {0} 字的文本"),
    (r"its category is not one of (\d+) to (\d+)", "类别不在 {0} 到 {1} 之间"),
    (r"its evidence is not a list of texts", "依据不是文本列表"),
    (r"its sessions are empty", "会话是空的"),
    (r"it is larger than (\d+ [MG]B)", "大于 {0}"),
    (r"it cannot be read as a text \((.+)\)", "不能作为文本读取（{0}）"),
    (r"a label is no text of at most ([\d,]+) characters", "有一条标注不是至多 {0} 字的文本"),
    (r'it has no list of questions "qa"', "没有题目列表“qa”"),
    (r"what is noted of a person is not a list", "对某人的记录不是列表"),
    (r"these systems need a memory model \(KEEPSAKE_MEMORY_MODEL\)", "这些系统需要记忆模型（KEEPSAKE_MEMORY_MODEL）"),
    (r"the folder holds no \.json file", "文件夹里没有 .json 文件"),
    (r"none of its folders holds a question set", "其中没有一个文件夹含有题目"),
    (r"noise comes from other conversations, and there is one alone", "噪声取自其他对话，而这里只有一段"),
    (r"it needs questions that can be answered and others that cannot", "需要有能回答的题和不能回答的题"),
    (r"it names no session", "没有指明会话"),
    (r"it is no dialogue", "不是对话"),
    (r"it is no LongMemEval question", "不是 LongMemEval 的题目"),
    (r"it is no JSON", "不是 JSON"),
    (r"it holds no observations and no events to compare with", "没有可供比较的观察或事件"),
    (r"it holds no memories", "没有记忆"),
    (r"it holds no case", "没有样例"),
    (r"it holds a conversation but no questions", "有对话，没有题目"),
    (r"it has not one date for each session", "并非每次会话都有一个日期"),
    (r"it has no words, or too many", "没有文字，或太多"),
    (r"the two have no question in common", "两者没有相同的题目"),
)
_COMPILED = tuple((re.compile(pattern), text) for pattern, text in _REASONS)


def chinese(reason: str) -> str:
    """As it is where it is not known here."""
    for pattern, text in _COMPILED:
        if match := pattern.fullmatch(reason.strip()):
            return text.format(*match.groups())
    return reason
