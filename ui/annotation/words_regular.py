"""Sentences of the workbench: regular probes, their lint and their review."""

from __future__ import annotations

from ui.entry import Entry

REGULAR_WORDS: dict[str, Entry] = {
    "regular": Entry("Regular probes", "常规探针"),
    "regular_mean": Entry(
        "About one memory point each: what the character might say that calls for it, and four replies of the user, one of them right.",
        "每个针对一个记忆点：角色可能说的、需要想起它的一句话，以及用户的四个回答，只有一个正确。",
    ),
    "regular_none_open": Entry(
        "No dialogue is open to you for probes: they are written once a dialogue has gold, by people who did not annotate it, or after it is released.",
        "没有可供你写探针的对话：对话审定之后，由没有标注过它的人来写；公开之后标注者也可以写。",
    ),
    "regular_undecided_n": Entry("{n} not decided yet", "{n} 个尚未审定"),
    "regular_own_n": Entry("{n} by you", "你写的 {n} 个"),
    "regular_n": Entry("{n} probe ready to run|{n} probes ready to run", "可用于测试的 {n} 个"),
    "regular_set": Entry(
        "Of {n} probe ready to run the right reply is the longest in {longest}, the shortest in {shortest} (by chance .25 at most); it is shown at "
        "{places}.|Of {n} probes ready to run "
        "the right reply is the longest in {longest}, the shortest in {shortest} (by chance .25 at most); it is shown at {places}.",
        "{n} 个可用于测试的探针里，正确回答最长的占 {longest}，最短的占 {shortest}（随机至多 .25）；显示位置为 {places}。",
    ),
    "regular_people": Entry(
        "Reviewers, who choose first, chose the right one in {share} of {reviews}; they accepted {accepted}, changed {edited}, rejected {rejected}.",
        "审核员先作答，{reviews} 次里选对 {share}；认可 {accepted}，修改 {edited}，退回 {rejected}。",
    ),
    "biased_longest": Entry(
        "The right reply is the longest too often: length alone gives it away.", "正确回答常常是最长的：光看长短就能猜中。"
    ),
    "biased_shortest": Entry(
        "The right reply is the shortest too often: length alone gives it away.", "正确回答常常是最短的：光看长短就能猜中。"
    ),
    "probe_write": Entry("Write a probe", "写探针"),
    "probe_edit": Entry("Regular probe", "常规探针"),
    "probe_line": Entry("What the character says", "角色的话"),
    "option_right": Entry("Right reply", "正确回答"),
    "option_wrong": Entry("Wrong reply {n}", "错误回答 {n}"),
    "hand_in": Entry("Hand in", "提交"),
    "handed_in": Entry("Handed in. Two others review it.", "已提交，将由另外两人审核。"),
    "handed_in_single": Entry("Handed in. In this project nothing is reviewed.", "已提交。这个项目不设审核。"),
    "handed_in_n": Entry("{n} probe about it|{n} probes about it", "已有 {n} 个探针"),
    "no_gold": Entry("This dialogue has no adjudicated memory point.", "这段对话没有审定的记忆点。"),
    "probe_delete_sure": Entry("Delete this probe?", "删除这个探针？"),
    "shown_as": Entry("right: {letter}", "正确：{letter}"),
    "regular_is_draft": Entry("not handed in", "未提交"),
    "regular_is_waiting": Entry("waits for two reviewers", "等待两名审核员"),
    "regular_is_disputed": Entry("the reviewers differ; a third settles it", "审核意见不一，待第三人裁定"),
    "regular_is_accepted": Entry("accepted", "已认可"),
    "regular_is_rejected": Entry("rejected", "被退回"),
    "regular_is_single": Entry("handed in, not reviewed", "已提交，未经审核"),
    "regular_verdict_accepted": Entry("Accepted", "认可"),
    "regular_verdict_edited": Entry("Accepted as the reviewer changed it", "审核员修改后认可"),
    "regular_verdict_rejected": Entry("Rejected", "退回"),
    "regular_reason_several_right": Entry("Several are right", "不止一个正确"),
    "regular_reason_none_right": Entry("None is right", "没有正确的"),
    "regular_reason_given_away": Entry("It is given away", "泄露了答案"),
    "regular_reason_not_called_for": Entry("The line does not call for the point", "这句话用不着这个记忆"),
    "regular_reason_wording": Entry("Wording", "措辞"),
    "regular_reason_other": Entry("Another one", "其他"),
    "regular_review": Entry("Review probes", "审核探针"),
    "regular_none_left": Entry("No probe of this dialogue waits for you any more.", "这段对话没有等你审核的探针了。"),
    "regular_choose": Entry(
        "Choose the reply that is right (1 to 4). Which one the author meant is shown after that.",
        "选出正确的回答（1 到 4）。之后才显示作者认定的答案。",
    ),
    "regular_same": Entry("You chose what the author meant.", "你选的与作者一致。"),
    "regular_differs": Entry("You chose another one than the author meant.", "你选的与作者不同。"),
    "regular_settle": Entry(
        "Two reviewers have decided differently; you settle it. What they decided is shown after you have chosen.",
        "两名审核员意见不一，由你裁定。你作答之后才显示他们的决定。",
    ),
    "regular_disputed": Entry("What the two reviewers decided", "两名审核员的决定"),
    "regular_reviewer_n": Entry("Reviewer {n}|Reviewer {n}", "审核员 {n}"),
    "regular_reviewer_you": Entry("You", "你"),
    "regular_would_accepted": Entry("would accept it", "认可"),
    "regular_would_edited": Entry("would change it", "想修改"),
    "regular_would_rejected": Entry("would reject it", "想退回"),
    "regular_chose": Entry("chose: {option}", "选的是：{option}"),
    "regular_take_change": Entry("Go on from this change", "在此修改上继续"),
    "take_back": Entry("Take back", "撤回"),
    "regular_one_decided": Entry("Kept. Another reviewer decides too.", "已保存，还需另一名审核员决定。"),
    "regular_now_accepted": Entry("It is accepted.", "已认可。"),
    "regular_now_rejected": Entry("It is rejected and goes back to its author.", "已退回作者。"),
    "regular_now_disputed": Entry("The two of you differ; a third person settles it.", "你们两人意见不一，由第三人裁定。"),
    "reviewers_agree": Entry("How far two reviewers who did not know of each other’s decision agree", "互不知情的两名审核员之间的一致性"),
    "agree_same_verdict": Entry("The same decision (share)", "决定相同（比例）"),
    "agree_alpha_verdict": Entry("Krippendorff’s α of the decision", "决定的 Krippendorff α"),
    "agree_same_choice": Entry("The same reply chosen (share)", "选的回答相同（比例）"),
    "agree_alpha_choice": Entry("Krippendorff’s α of the reply chosen", "所选回答的 Krippendorff α"),
    "your_choice": Entry("your choice", "你选的"),
    "regular_accept": Entry("Accept", "认可"),
    "remark": Entry("Note:", "注意："),
    "remark_fault": Entry("Must be changed:", "必须修改："),
    "remarks_n": Entry("{n} remark|{n} remarks", "{n} 处提示"),
    "remarks_none": Entry("Nothing to remark.", "没有问题。"),
    "remark_language_missing": Entry("the language is missing.", "没有选语言。"),
    "remark_language_other": Entry("not in the probe’s language: {options}.", "与探针语言不符：{options}。"),
    "remark_line_language": Entry("what the character says is not in the probe’s language.", "角色的话与探针语言不符。"),
    "remark_line_missing": Entry("what the character says is missing.", "缺少角色的话。"),
    "remark_option_missing": Entry("missing: {options}.", "缺少：{options}。"),
    "remark_same": Entry("the same words: {options}.", "内容相同：{options}。"),
    "remark_alike": Entry("nearly the same: {options}.", "几乎相同：{options}。"),
    "remark_given_words": Entry(
        "words of the question stand in the right reply alone: {words}.", "问句里的词只出现在正确回答里：{words}。"
    ),
    "remark_given_run": Entry("the right reply alone repeats the question: “{words}”.", "只有正确回答重复了问句：“{words}”。"),
    "remark_key_longest": Entry("the right reply is by far the longest.", "正确回答明显最长。"),
    "remark_key_shortest": Entry("the right reply is by far the shortest.", "正确回答明显最短。"),
    "remark_catch_all": Entry("refers to the other options: {options}.", "指代其他选项：{options}。"),
    "remark_verbatim": Entry("repeats message {message} word for word: {options}.", "逐字重复第 {message} 条消息：{options}。"),
}
