"""Every sentence of the pages about accounts, in English and Chinese. `error_`: codes of `accounts.errors` and of what erasing can say."""

from __future__ import annotations

from ui.catalogue_talk import TALK
from ui.entry import Entry

WORDS: dict[str, Entry] = {
    "brand": TALK["brand"],
    "motto": TALK["motto"],
    "other_language": Entry("中文", "English"),
    **{key: TALK[key] for key in ("theme", "theme_system", "theme_light", "theme_dark")},
    # Logging in
    "login": Entry("Log in", "登录"),
    "name": Entry("Name", "名字"),
    "password": Entry("Password", "密码"),
    "login_help": Entry(
        "Accounts are made by whoever runs this Keepsake. Ask them if you have none, or lost your password.",
        "账号由管理这台 Keepsake 的人建立。没有账号或忘了密码，请找他们。",
    ),
    "logged_out": Entry(
        "You are logged out. What you had typed and not sent is gone from this browser.",
        "已退出登录。没有发出的文字也已从这个浏览器里清掉。",
    ),
    "account_gone": Entry(
        "The account is removed, and everything that was written in it is erased.", "账号已删除，里面写过的一切也都抹去了。"
    ),
    # The first admin
    "setup": Entry("Set up", "初次设置"),
    "setup_code_means": Entry(
        "Nobody has an account here yet. The first one belongs to whoever started this program: a code stands in its terminal.",
        "这里还没有账号。第一个账号属于启动这个程序的人：终端里写着一个代码。",
    ),
    "code": Entry("Code from the terminal", "终端里的代码"),
    "next": Entry("Next", "下一步"),
    "setup_means": Entry(
        "You will be the admin: you make accounts for others, lock and remove them. You cannot read their conversations.",
        "你将是管理员：可以为别人建立账号、锁定或删除账号。你看不到他们的对话。",
    ),
    "setup_done": Entry("Make the account", "建立账号"),
    "take_over": Entry(
        "Before there were accounts, conversations ({chats}) and characters ({characters}) were kept here. Whose are they?",
        "启用账号之前，这里已有对话（{chats}）和角色（{characters}）。它们归谁？",
    ),
    "take_over_yes": Entry("Mine: they become part of this account", "是我的：归入这个账号"),
    "take_over_no": Entry(
        "Not mine: they stay as they are, out of everybody’s reach until accounts are switched off",
        "不是我的：原样留着，在关闭账号功能之前谁也看不到",
    ),
    "password_again": Entry("Password once more", "再输入一次密码"),
    "password_rule": Entry(
        "At least {least} characters. A few unrelated words are good and easy to remember.",
        "至少 {least} 个字符。几个互不相干的词，既安全又好记。",
    ),
    # One's own account
    "account": Entry("Your account", "你的账号"),
    "back": Entry("Back to your conversations", "回到对话"),
    "role": Entry("Role", "身份"),
    "role_player": Entry("Player", "玩家"),
    "role_annotator": Entry("Annotator", "标注员"),
    "role_reviewer": Entry("Reviewer", "审核员"),
    "role_admin": Entry("Admin", "管理员"),
    "people": Entry("People", "人员"),
    "must_change": Entry(
        "An admin made this password for you. Choose one that nobody else knows; then you can go in.",
        "这个密码是管理员给你的。请换成只有你知道的密码，然后就可以进去了。",
    ),
    "change_password": Entry("Change the password", "修改密码"),
    "present_password": Entry("Present password", "现在的密码"),
    "new_password": Entry("New password", "新密码"),
    "password_changed": Entry("The password is changed. Every other browser is logged out.", "密码已修改。其他浏览器都已退出登录。"),
    "logins": Entry("You are logged in in one browser.|You are logged in in {n} browsers.", "你在 {n} 个浏览器里登录着。"),
    "log_out": Entry("Log out", "退出登录"),
    "log_out_everywhere": Entry("Log out everywhere", "在所有地方退出"),
    "remove_own": Entry("Remove your account", "删除你的账号"),
    "remove_own_means": Entry(
        "Your conversations, characters and everything remembered from them are erased for good, from the backups as well. Nobody can bring them back.",
        "你的对话、角色和从中记住的一切都会被彻底抹去，备份里的也不例外。谁也无法恢复。",
    ),
    "remove": Entry("Remove and erase", "删除并抹去"),
    # Everybody's accounts
    "people_means": Entry(
        "Conversations are nobody’s business but their owner’s: here are accounts, not what is written in them.",
        "对话只属于各自的主人：这里只管账号，看不到里面写了什么。",
    ),
    "add": Entry("New account", "新账号"),
    "add_do": Entry("Make it", "建立"),
    "made": Entry("The account {name} is made. Its password is shown this once:", "账号 {name} 已建立。密码只显示这一次："),
    "renewed": Entry(
        "{name} has a new password, shown this once, and is logged out everywhere:", "{name} 有了新密码，只显示这一次；所有登录都已退出："
    ),
    "tell_them": Entry(
        "Tell them by a way you trust. At the first login they choose another.", "请用可靠的方式告诉对方。首次登录时要换成自己的密码。"
    ),
    "since": Entry("since {day}", "{day} 建立"),
    "seen": Entry("last here {day}", "最近 {day}"),
    "seen_never": Entry("not logged in", "没有登录"),
    "you": Entry("you", "你自己"),
    "locked": Entry("locked", "已锁定"),
    "unchanged": Entry("has not chosen a password yet", "尚未换成自己的密码"),
    "set_role": Entry("Change", "更改"),
    "renew": Entry("New password", "新密码"),
    "lock": Entry("Lock", "锁定"),
    "unlock": Entry("Unlock", "解锁"),
    "lock_means": Entry(
        "Locking logs somebody out at once and keeps everything. Removing erases everything they wrote, for good.",
        "锁定会立即让对方退出，数据都保留。删除会把对方写过的一切彻底抹去。",
    ),
    "remove_who": Entry("To remove {name}, write the name here", "要删除 {name}，请在这里写出这个名字"),
    "done_role": Entry("The role of {name} is changed.", "已更改 {name} 的身份。"),
    "done_lock": Entry("{name} is locked, and logged out everywhere.", "{name} 已锁定，并在所有地方退出。"),
    "done_unlock": Entry("{name} can log in again.", "{name} 又可以登录了。"),
    "done_remove": Entry("{name} is removed, and everything they wrote is erased.", "{name} 已删除，写过的一切都已抹去。"),
    "more": Entry("More", "更多"),
    # Why not
    "error_login_refused": Entry(
        "Name and password do not belong together, or the account is locked.", "名字和密码不符，或者账号已被锁定。"
    ),
    "error_too_many_attempts": Entry(
        "Too many attempts. The next one is looked at in {seconds} seconds.", "尝试次数太多。{seconds} 秒后再试。"
    ),
    "error_door_busy": Entry(
        "Too many people are logging in at this moment. Try again in a few seconds.", "此刻登录的人太多。请过几秒再试。"
    ),
    "error_code_wrong": Entry("This is not the code that stands in the terminal.", "这不是终端里的那个代码。"),
    "error_already_set_up": Entry("There is an admin already. Log in.", "已经有管理员了。请登录。"),
    "error_name_refused": Entry(
        "A name has 1 to {most} characters that can be seen, a letter or a digit among them.",
        "名字要有 1 到 {most} 个看得见的字符，其中至少有一个字母、汉字或数字。",
    ),
    "error_name_taken": Entry("There is an account called {name} already.", "已经有叫 {name} 的账号了。"),
    "error_password_short": Entry("A password needs at least {least} characters.", "密码至少要有 {least} 个字符。"),
    "error_password_long": Entry("A password has at most {most} characters.", "密码最多 {most} 个字符。"),
    "error_password_plain": Entry(
        "This password is among the first that are tried. Choose another one, a few unrelated words for instance.",
        "这个密码太容易被猜到。请换一个，比如几个互不相干的词。",
    ),
    "error_passwords_differ": Entry("The two passwords are not the same.", "两次输入的密码不一样。"),
    "error_password_wrong": Entry("This is not your present password.", "这不是你现在的密码。"),
    "error_password_same": Entry("The new password is the present one. Choose another.", "新密码和现在的一样。请换一个。"),
    "error_no_such_account": Entry("There is no such account any more.", "已经没有这个账号了。"),
    "error_last_admin": Entry(
        "This is the only admin. Make another account an admin first.", "这是唯一的管理员。请先让另一个账号成为管理员。"
    ),
    "error_not_allowed": Entry("Only an admin may do this.", "只有管理员可以这样做。"),
    "error_name_not_repeated": Entry("The name was not written as it is. Nothing was removed.", "写的名字对不上。什么都没有删除。"),
    "error_erasure_unfinished": Entry(
        "The account is removed. Erasing what was written in it is not done yet; the next start of Keepsake goes on with it.",
        "账号已删除。里面写过的内容还没有抹完，下次启动 Keepsake 会继续。",
    ),
    "error_choose_whose": Entry("Say whose the conversations from before are.", "请说明之前的对话归谁。"),
    "error_unexpected": Entry(
        "Something went wrong that should not have. Nothing was changed; the reason stands in the program’s log.",
        "出了不该出的错。什么都没有改动，原因写在程序的日志里。",
    ),
}
