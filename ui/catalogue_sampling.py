"""The sentences about how words are drawn, and about what models were asked and what it cost."""

from __future__ import annotations

from ui.entry import Entry

SAMPLING: dict[str, Entry] = {
    "sampled_means": Entry(
        "How the chat model draws its words: for all conversations under “Who answers”, or here for this one. It holds from the next reply on.",
        "聊天模型怎样选词：总体设置在“由谁回答”里，也可以在这里只为这段对话设置。从下一条回复起生效。",
    ),
    "sampled_standard": Entry("As the model comes", "模型默认"),
    "sampled_steady": Entry("Steady", "沉稳"),
    "sampled_lively": Entry("Lively", "活泼"),
    "sampled_daring": Entry("Daring", "大胆"),
    "sampled_brief": Entry("Brief", "简短"),
    "sampled_says_nothing": Entry("Nothing of its own.", "不作改动。"),
    "sampled_new": Entry("New preset", "新建预设"),
    "sampled_change": Entry("Change the preset", "修改预设"),
    "sampled_copy": Entry("Go on from it", "以此为基础"),
    "sampled_remove_title": Entry("Remove “{name}”?", "移除“{name}”？"),
    "sampled_remove_means": Entry(
        "Conversations that it was chosen for are drawn as is set for all. Where it was set for all, its values stay.",
        "选用它的对话改用总体设置；若总体设置用的是它，其数值保留。",
    ),
    "draws_temperature": Entry("Temperature", "温度"),
    "draws_temperature_means": Entry("{least} to {most}; higher: less likely words as well", "{least} 到 {most}；越高用词越出人意料"),
    "draws_top_p": Entry("Top p", "Top p"),
    "draws_top_p_means": Entry(
        "above {least} to {most}; lower: the tail of unlikely words is cut", "大于 {least}，到 {most}；越低越只取常见词"
    ),
    "draws_presence_penalty": Entry("Presence penalty", "话题惩罚"),
    "draws_presence_penalty_means": Entry("{least} to {most}; higher: on to new things", "{least} 到 {most}；越高越爱换新话题"),
    "draws_frequency_penalty": Entry("Frequency penalty", "频率惩罚"),
    "draws_frequency_penalty_means": Entry("{least} to {most}; higher: fewer repeats", "{least} 到 {most}；越高重复越少"),
    "draws_min_p": Entry("Min p", "Min p"),
    "draws_min_p_means": Entry("{least} to {most}; models in a file only", "{least} 到 {most}；只用于文件里的模型"),
    "draws_repeat_penalty": Entry("Repeat penalty", "重复惩罚"),
    "draws_repeat_penalty_means": Entry("{least} to {most}; models in a file only", "{least} 到 {most}；只用于文件里的模型"),
    "draws_max_tokens": Entry("Longest reply, tokens", "最长回复（词元）"),
    "draws_max_tokens_means": Entry("{least} to {most}; half of the window at most", "{least} 到 {most}；最多为窗口的一半"),
    "draws_empty": Entry(
        "What is left empty is as the model’s connection says, or as the endpoint has it.", "留空的项目沿用模型连接的设置或服务端默认值。"
    ),
    "costs_means": Entry(
        "Counted here, by tokens: a provider’s bill may differ. Prices are LiteLLM’s table as of its release, in US dollars; where it knows none, none is shown. "
        "Replies are counted since this page exists. What was erased is counted no more; temporary conversations never are.",
        "按词元在本地统计，与服务商账单可能有出入。价格取自 LiteLLM 发布时的价目表（美元）；没有价格的不显示。回复从有此页面起统计。已清除的不再计入，临时对话从不计入。",
    ),
    "costs_here": Entry("This conversation", "这段对话"),
    "costs_all": Entry("All your conversations", "你的全部对话"),
    "costs_none": Entry("Nothing has been asked yet.", "还没有请求过。"),
    "costs_table": Entry("What models were asked", "模型用量"),
    "costs_for": Entry("For", "用途"),
    "costs_model": Entry("Model", "模型"),
    "costs_calls": Entry("Calls", "次数"),
    "costs_prompt": Entry("Tokens read", "读入词元"),
    "costs_answer": Entry("Tokens written", "写出词元"),
    "costs_price": Entry("Cost", "费用"),
    "costs_sum": Entry("Where the price is known", "已知价格的合计"),
    "price_known": Entry("{prompt} for a million tokens read, {answer} written", "每百万词元：读入 {prompt}，写出 {answer}"),
    "price_unknown": Entry("no price known", "价格未知"),
    "price_nothing": Entry("costs nothing but power", "除电费外不花钱"),
    "use_reply": Entry("Replies", "回复"),
    "use_draft": Entry("Drafts of your words", "代拟的话"),
    "error_presets_too_many": Entry(
        "There are {limit} presets already. Remove one first; nothing was changed.", "已有 {limit} 个预设。请先移除一个；没有任何改动。"
    ),
}
