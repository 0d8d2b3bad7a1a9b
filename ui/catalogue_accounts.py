"""The sentences about accounts that the page of conversations says; the pages about accounts have their own (`ui.accounts.words`)."""

from __future__ import annotations

from ui.entry import Entry

ACCOUNTS: dict[str, Entry] = {
    "logged_in_as": Entry("Logged in as {name}", "已登录：{name}"),
    "your_account": Entry("Your account", "你的账号"),
    "accounts": Entry("People", "人员"),
    "workbench": Entry("Annotation workbench", "标注工作台"),
    "evaluation_runs": Entry("Evaluation runs", "评测"),
    "guide_kept_there": Entry(
        "What you say is kept on the computer that Keepsake runs on. No page shows it to anybody else, unless you give a conversation to research; "
        "whoever runs that computer can read its files.",
        "你说的话保存在运行 Keepsake 的那台电脑上。任何页面都不会给别人看，除非你把某段对话提供给研究；但管理那台电脑的人能读到它的文件。",
    ),
    "log_out": Entry("Log out", "退出登录"),
    "error_not_logged_in": Entry(
        "You are not logged in any more. Nothing was changed; log in again.", "你已经退出登录。没有改动任何内容，请重新登录。"
    ),
}
