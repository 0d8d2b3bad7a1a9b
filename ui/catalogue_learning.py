"""The sentences about learning from what replies use."""

from __future__ import annotations

from ui.entry import Entry

LEARNING: dict[str, Entry] = {
    "learning": Entry("Learning", "学习"),
    "learning_means": Entry(
        "Which memories replies use can teach which ones to put before the character first. What is learned are numbers on this computer; neither scores nor "
        "what is forgotten depend on them.",
        "从回复用到了哪些记忆，可以学会先把哪些摆到角色面前。学到的只是这台电脑上的一些数字，不影响分数，也不影响淡忘。",
    ),
    "learning_mode": Entry("Whether anything is learned", "是否学习"),
    "learning_off": Entry("Off", "关闭"),
    "learning_on": Entry("Learn", "学习"),
    "learning_frozen": Entry("Freeze", "冻结"),
    "learning_off_means": Entry("Nothing is learned, and what was learned is kept and not used.", "不再学习；学到的留着，但不使用。"),
    "learning_on_means": Entry("Used for every reply, and learned from every reply.", "每条回复都会用上，也从每条回复里继续学。"),
    "learning_frozen_means": Entry("Used for every reply as it is; nothing more is learned.", "每条回复都照现在的样子使用，不再往下学。"),
    "exploring": Entry("Try other memories as well", "也试试别的记忆"),
    "exploring_means": Entry(
        "The order is drawn by chance, better ones more often, to find out what else is of use. Replies may become a little worse meanwhile.",
        "次序带一点随机，好的仍然更常在前，用来发现还有哪些有用。其间回复可能略差一些。",
    ),
    "learning_updates": Entry(
        "{n} update so far, from {replies} replies.|{n} updates so far, from {replies} replies.", "已更新 {n} 次，来自 {replies} 条回复。"
    ),
    "learning_curve": Entry("How much of what was shown was used", "摆出来的记忆用上了多少"),
    "learning_curve_says": Entry(
        "At first {first} % of the memories shown, now {last} %; the mean of the newest {n} reply.|"
        "At first {first} % of the memories shown, now {last} %; the mean of the newest {n} replies.",
        "起初用上 {first}%，现在 {last}%；取最近 {n} 条回复的平均。",
    ),
    "learning_none": Entry("No reply has been taken in yet.", "还没有从任何回复里学过。"),
    "learning_fell": Entry(
        "Replies came to use less of what was shown: {after} % instead of {before} %. Learning went back to where it did best, and stopped. Choose “Learn” to go on.",
        "摆出来的记忆用上的变少了：从 {before}% 降到 {after}%。学习已退回效果最好的时候并停下。想继续，请选“学习”。",
    ),
    "learning_reset": Entry("Unlearn everything", "全部忘掉"),
    "learning_reset_title": Entry("Unlearn everything?", "把学到的全部忘掉？"),
    "learning_reset_means": Entry(
        "What was learned is gone for good. Memories and conversations stay as they are.", "学到的东西会彻底消失。记忆和对话都不变。"
    ),
    "learning_export": Entry("Save as a file", "存成文件"),
    "learning_import": Entry("Go on from a file", "从文件接着学"),
    "learning_imported": Entry("Taken from {name}.", "已从 {name} 读入。"),
    "error_learned_refused": Entry(
        "This file holds nothing learned that can be used here: it must come from Keepsake, with the same model that finds by meaning. Nothing was changed. ({reason})",
        "这个文件里没有能用的学习结果：它必须由 Keepsake 导出，而且语义检索用的是同一个模型。什么也没有改变。（{reason}）",
    ),
    "work_learn": Entry("Learn from what a reply used", "从回复用到的记忆中学习"),
}
