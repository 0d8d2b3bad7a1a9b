"""The sentences of the sheet that shows how memories fade, come back and are forgotten."""

from __future__ import annotations

from ui.entry import Entry

FADING: dict[str, Entry] = {
    "fading": Entry("Forgetting", "遗忘"),
    "fading_none": Entry(
        "There is nothing to forget yet. Each fact gets a score once your next message is sent: it fades round by round, rises each time talk comes back to "
        "the memory, and halves when others come to mind instead. Its curve is drawn here.",
        "还没有可淡忘的。你发出下一条消息后，每个事实都会有一个分数：一轮轮过去会变淡，聊起它时升高，别的记忆先被想起时减半。曲线就画在这里。",
    ),
    "fading_means": Entry(
        "Forgotten is who is held least: by what it tells, by how it differs from what came before, and by its score. It happens every six rounds, and only "
        "beyond the room there is. Nothing is erased by it.",
        "谁最不牢，谁就先被淡忘：看它讲了多少、与从前的有多不同，也看它的分数。每六轮一次，只在放不下时发生。淡忘什么都不会删除。",
    ),
    "room": Entry("Room", "容量"),
    "room_says": Entry("{held} of {all} places are taken by facts and insights.", "{all} 个位置里，事实和领会占了 {held} 个。"),
    "room_over": Entry(
        "{held} facts and insights are held, {all} have room: what goes is decided when these six rounds are over.",
        "现有 {held} 条事实和领会，可容 {all} 条：这六轮结束时再决定淡忘谁。",
    ),
    "room_chart": Entry(
        "Facts and insights held, round by round, from round {first} to round {last}: now {held}, with room for {all}. Something was forgotten in {n} "
        "round.|Facts and insights held, round by round, from round {first} to round {last}: now {held}, with room for {all}. Something was forgotten in {n} rounds.",
        "从第 {first} 轮到第 {last} 轮，逐轮记住的事实和领会：现有 {held} 条，可容 {all} 条。有 {n} 轮发生过淡忘。",
    ),
    "room_line": Entry("room for {n}", "可容 {n} 条"),
    "room_table": Entry("Who was forgotten when", "何时淡忘了多少"),
    "room_lost": Entry("{n} forgotten", "淡忘 {n} 条"),
    "alive": Entry("Most alive", "最鲜活"),
    "alive_means": Entry(
        "The highest scores: what talk came back to, and what was just told.", "分数最高的：聊天又回到过的事，还有刚说出口的事。"
    ),
    "nearly": Entry("Nearly forgotten", "快要淡忘"),
    "weakest": Entry("Lowest scores", "分数最低"),
    "nearly_means": Entry(
        "These go first when something new needs their place, the next to go on top. How firmly one is held follows from its score and from how much it told.",
        "新的记忆需要位置时，它们最先让出来，排在最上面的最先。记得多牢，取决于分数，也取决于它当初说了多少。",
    ),
    "nearly_room": Entry("There is room for {n} more, so nothing has to go.", "还能再容 {n} 条，谁也不用走。"),
    "nearly_unknown": Entry(
        "Who would go next is known again when all memories have been made findable by meaning.",
        "等全部记忆都编入语义索引后，才知道下一个会是谁。",
    ),
    "lost": Entry("Forgotten", "已淡忘"),
    "lost_all": Entry("Show all {n}", "全部 {n} 条"),
    "lost_since": Entry("forgotten in round {n}", "第 {n} 轮淡忘"),
    "back_since": Entry("brought back in round {n}", "第 {n} 轮记起"),
    "show_course": Entry("How it fades", "看它的遗忘曲线"),
    "course_of": Entry("The course of one memory", "一条记忆的曲线"),
    "course_close": Entry("Back to the overview", "返回总览"),
    "course_gone": Entry("This memory is not on this branch any more.", "这条记忆已不在当前分支上。"),
    "course_chart": Entry(
        "Score from round {first} to round {last}: now {score}, at most {top}. Recalled {up} times, passed over {down} times.",
        "从第 {first} 轮到第 {last} 轮的分数：现在 {score}，最高 {top}。想起 {up} 次，被盖过 {down} 次。",
    ),
    "course_chart_carried": Entry(
        "Score from before this conversation to round {last}: now {score}, at most {top}. Recalled {up} times, passed over {down} times.",
        "从这段对话之前到第 {last} 轮的分数：现在 {score}，最高 {top}。想起 {up} 次，被盖过 {down} 次。",
    ),
    "score_now": Entry("score {score}", "分数 {score}"),
    "stays_room": Entry("There is room, so it need not go.", "还有位置，它不必离开。"),
    "stays_strong": Entry(
        "It tells enough to keep its place even if nothing ever calls it up.", "它讲的东西够多，就算再没人提起也能留住位置。"
    ),
    "stays_above": Entry("It keeps its place while its score stays above {needs}.", "只要分数高于 {needs}，它就能留住位置。"),
    "goes_next": Entry("It is among the next to go: a score above {needs} would keep it.", "它会最先离开：分数高于 {needs} 才留得住。"),
    "stays_spared": Entry(
        "It is not forgotten now, however low: it is pinned, of the newest rounds, or was brought back.",
        "无论多低，现在都不会淡忘：它是常驻的、刚说不久，或是被重新记起的。",
    ),
    "stays_said": Entry("What was said is scored, and never forgotten.", "原话只打分，从不淡忘。"),
    "line_needs": Entry("needed to stay: {needs}", "留住所需：{needs}"),
    "legend_up": Entry("recalled", "想起"),
    "legend_down": Entry("passed over", "被盖过"),
    "course_table": Entry("What befell it, round by round", "逐轮发生了什么"),
    "column_what": Entry("What happened", "发生了什么"),
    "column_round": Entry("Round", "轮次"),
    "column_before": Entry("Score then", "当时分数"),
    "column_after": Entry("Next round", "下一轮"),
    "befell_none": Entry("Nothing has called it up or passed it over yet.", "还没有什么想起过它，也没有什么盖过它。"),
    "befell_newest": Entry("The newest {n} are listed.", "只列出最近 {n} 次。"),
}
