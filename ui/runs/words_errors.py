"""What is said of failures on the page of runs, and what data is refused for, in both languages."""

from __future__ import annotations

from ui.entry import Entry

ERRORS: dict[str, Entry] = {
    "no_server": Entry("Keepsake did not answer. Is it running still?", "Keepsake 没有回应。它还在运行吗？"),
    "error_unexpected": Entry(
        "Something went wrong that was not expected. It stands in the program's log.", "出了意料之外的问题，详见程序日志。"
    ),
    "error_run_not_there": Entry("This is not there, or not any more. Nothing was changed.", "没有这一项，或已不在。没有任何改动。"),
    "error_run_not_allowed": Entry("Runs of the evaluation are for admins.", "评测只供管理员使用。"),
    "error_run_field": Entry("“{field}” is missing or not possible so. Nothing was started.", "“{field}”缺失或无效。没有开始。"),
    "error_run_no_gold": Entry(
        "This project has no gold that you may see yet: somebody has to finish a dialogue, and what you annotated yourself has to be released. Nothing was started.",
        "这个项目还没有你能看到的审定结果：要先有人完成一段对话；你自己标注过的，还要先公布。没有开始。",
    ),
    "error_run_under_way": Entry(
        "This run is under way, waits or is done. Nothing was changed.", "这次评测正在进行、等待或已完成。没有任何改动。"
    ),
    "error_run_empty": Entry("This run has no figures yet.", "这次评测还没有结果。"),
    "error_run_not_compared": Entry("These runs cannot be compared: {reason}", "这两次评测无法比较：{reason}"),
    "error_run_data_large": Entry(
        "The file is larger than {limit} MB; put it into the folder by hand. Nothing was kept.",
        "文件超过 {limit} MB，请直接放进文件夹。没有保存。",
    ),
    "error_run_memory": Entry(
        "It took {used} MB of memory and was ended; {limit} MB is the limit (KEEPSAKE_EVALUATION_MEMORY_MB).",
        "占用内存 {used} MB，已终止；上限为 {limit} MB（KEEPSAKE_EVALUATION_MEMORY_MB）。",
    ),
    "error_run_late": Entry(
        "It worked longer than {limit} minutes and was ended (KEEPSAKE_EVALUATION_MINUTES). Go on to work as long again.",
        "运行超过 {limit} 分钟，已终止（KEEPSAKE_EVALUATION_MINUTES）。可继续再运行同样长的时间。",
    ),
    "error_run_died": Entry(
        "Its process ended without a word (status {status}). What it does stands below.", "进程意外结束（状态 {status}）。过程记录见下。"
    ),
    "error_run_broke": Entry("It failed unexpectedly ({kind}). What it does stands below.", "意外失败（{kind}）。过程记录见下。"),
    "error_data_refused": Entry("{file}, {where}: {reason}. Nothing was measured.", "{file}，{where}：{reason}。没有进行测量。"),
    "error_data_refused_file": Entry("{file}: {reason}. Nothing was measured.", "{file}：{reason}。没有进行测量。"),
    "error_import_refused": Entry("{file}, {where}: {reason}. Nothing was measured.", "{file}，{where}：{reason}。没有进行测量。"),
    "error_import_refused_file": Entry("{file}: {reason}. Nothing was measured.", "{file}：{reason}。没有进行测量。"),
    "error_evaluation_failed": Entry(
        "What was to be measured could not be brought about. The log below says why.", "无法完成测量，原因见下面的过程记录。"
    ),
    "error_not_there": Entry("This project is not there, or not any more. Nothing was started.", "没有这个项目，或已不在。没有开始。"),
    "error_not_allowed": Entry("Only an admin may do this.", "只有管理员可以这样做。"),
    "error_storage_full": Entry("The disk is full. Nothing was kept.", "磁盘已满。没有保存。"),
    "error_storage_read_only": Entry("The data folder can only be read. Nothing was kept.", "数据文件夹只能读取。没有保存。"),
    "field_task": Entry("What is measured", "测什么"),
    "field_systems": Entry("Systems", "系统"),
    "field_data": Entry("Data", "数据"),
    "field_seed": Entry("Seed", "随机种子"),
    "field_name": Entry("Name", "名称"),
    "field_file": Entry("File (.json or .jsonl, not empty)", "文件（.json 或 .jsonl，非空）"),
    "field_other": Entry("A field", "某一项"),
}
