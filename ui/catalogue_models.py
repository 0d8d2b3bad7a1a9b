"""The sentences of the page about language models: who answers, the ways to them, files. What is drawn and what it costs stands in `catalogue_sampling`."""

from __future__ import annotations

from ui.entry import Entry

MODELS: dict[str, Entry] = {
    "models": Entry("Models", "模型"),
    "models_tab_roles": Entry("Who answers", "由谁回答"),
    "models_tab_connections": Entry("Connections", "连接"),
    "models_tab_files": Entry("Files", "模型文件"),
    "models_tab_sampling": Entry("Sampling", "采样"),
    "models_tab_costs": Entry("Costs", "用量"),
    "models_means": Entry(
        "A choice holds from the next reply or memory task on; one that is under way ends with the model it began with. Nothing is started again.",
        "选择从下一条回复或下一项记忆任务起生效；正在进行的会用原来的模型做完。不需要重新启动。",
    ),
    "models_others": Entry("Which models there are is decided by the admins of this house.", "使用哪些模型由这里的管理员决定。"),
    "models_bundled": Entry("The demo model that comes with Keepsake", "自带的演示模型"),
    "models_nobody": Entry("No language model", "不用语言模型"),
    "models_answers": Entry("Answers", "由它回答"),
    "models_preset_all": Entry("Words are drawn", "用词方式"),
    "models_preset_here": Entry("In this conversation", "在这段对话里"),
    "models_preset_as_all": Entry("As is set for all", "与总体设置相同"),
    "models_fixed": Entry(
        "The environment decides: {name} is set, and stands before what is chosen here. Take it away and start Keepsake again to choose here.",
        "由环境变量决定：已设置 {name}，它优先于这里的选择。去掉它并重新启动 Keepsake 后即可在这里选择。",
    ),
    "models_pinned": Entry("Set by the environment, and so for every model: {names}.", "由环境变量设定，对所有模型生效：{names}。"),
    "models_cold": Entry(
        "Asked for its likeliest words always (temperature 0), so that the same text gives the same; presets do not apply.",
        "始终取最可能的用词（温度 0），同样的文字得出同样的结果；采样预设在此不起作用。",
    ),
    "models_as_they_are": Entry("What finds memories", "查找记忆的模型"),
    "models_embedder": Entry("Meanings are compared by {model}, on this computer.", "由 {model} 在这台电脑上比较含义。"),
    "models_cross": Entry(
        "What is recalled is read once more by {model}, on this computer.", "回想到的内容由 {model} 在这台电脑上再读一遍。"
    ),
    "models_no_cross": Entry(
        "No second model (a cross-encoder) reads once more what is recalled.", "没有设置把想起的内容再读一遍的模型（交叉编码器）。"
    ),
    "models_as_they_are_means": Entry(
        "These are set by KEEPSAKE_EMBEDDER and KEEPSAKE_CROSS_ENCODER: another one that finds by meaning reads every memory anew, which is nothing for a click.",
        "它们由 KEEPSAKE_EMBEDDER 和 KEEPSAKE_CROSS_ENCODER 设定：换语义检索的模型（向量模型）要把所有记忆重新读一遍，不适合一点即换。",
    ),
    "role_chat": Entry("Chat", "聊天"),
    "role_chat_means": Entry(
        "Writes the replies. It reads the character’s card, what is remembered and fits, and the newest messages.",
        "写回复。它会读角色卡、放得下的相关记忆，以及最近的消息。",
    ),
    "role_memory": Entry("Memory", "记忆"),
    "role_memory_means": Entry(
        "Reads every six rounds for facts, persona, insights, story and topics, and answers questions to the memory. Without one, rules do it.",
        "每六轮读一次，整理事实、画像、领会、故事和话题，并回答对记忆的提问。不设时由规则完成。",
    ),
    "role_judge": Entry("Judge", "评判"),
    "role_judge_means": Entry(
        "Rates results when “python -m evaluation” is run, and replies in probe runs of the annotation workbench. It reads the cases or files that a run names, and of a "
        "probe run the question, its answer and the reply. It never reads the conversations kept here.",
        "运行 “python -m evaluation” 时给结果打分；在标注工作台的探针测试里给回复评分。它只读所指定的题目或文件，"
        "以及探针测试里的问题、参考答案和回复，从不读保存在这里的对话。",
    ),
    "reach_nowhere": Entry("Nothing leaves this program: the model runs inside of it.", "没有任何内容离开本程序：模型就在程序里运行。"),
    "reach_computer": Entry(
        "What it reads goes to another program on this computer ({host}), and on from there if that program sends it.",
        "它读的内容交给这台电脑上的另一个程序（{host}）；那个程序是否再往外发，要看它自己。",
    ),
    "reach_network": Entry("What it reads leaves this computer, for {host}.", "它读的内容会离开这台电脑，发往 {host}。"),
    "reach_provider": Entry(
        "What it reads leaves this computer, for the provider of {model}, and what becomes of it there is the provider’s to say.",
        "它读的内容会离开这台电脑，发往 {model} 的提供方；在那里如何处理，由提供方决定。",
    ),
    "reach_none": Entry("Nothing is sent anywhere.", "不向任何地方发送内容。"),
    "ways_means": Entry(
        "Ways to models. Which of them serves is chosen under “Who answers”. Addresses may be of this computer, your network or the internet; no redirect is followed.",
        "通往各个模型的连接。由哪一个来做，在“由谁回答”里选择。地址可以是这台电脑、你的网络或互联网；不会跟随重定向。",
    ),
    "ways_none": Entry("No connection yet. Choose a kind above.", "还没有连接。请在上面选一种。"),
    "way_kind_url": Entry("OpenAI-compatible address", "兼容 OpenAI 的地址"),
    "way_kind_url_means": Entry(
        "Any server that speaks OpenAI’s chat protocol: vLLM, llama.cpp, LM Studio, or a service.",
        "任何支持 OpenAI 聊天协议的服务：vLLM、llama.cpp、LM Studio，或在线服务。",
    ),
    "way_kind_ollama": Entry("Ollama", "Ollama"),
    "way_kind_ollama_means": Entry("A model that Ollama has, on this computer or another.", "Ollama 里的模型，在这台或另一台电脑上。"),
    "way_kind_hosted": Entry("Hosted provider", "在线服务商"),
    "way_kind_hosted_means": Entry(
        "Any online service that the LiteLLM library knows (OpenAI, Anthropic, DeepSeek and many more), by its name there.",
        "LiteLLM 程序库支持的任何在线服务（OpenAI、Anthropic、DeepSeek 等），按它在那里的名称填写。",
    ),
    "way_kind_file": Entry("File on this computer", "这台电脑上的文件"),
    "way_kind_file_means": Entry(
        "A GGUF file in the folder of models, run by the embedded llama.cpp in a process of its own. Nothing leaves this program.",
        "模型文件夹里的 GGUF 文件，由内置的 llama.cpp 在单独的进程里运行。没有任何内容离开本程序。",
    ),
    "way_new": Entry("New: {kind}", "新建：{kind}"),
    "way_change": Entry("Change: {kind}", "修改：{kind}"),
    "way_name": Entry("Name", "名称"),
    "way_model": Entry("Model", "模型"),
    "way_model_url": Entry("As the server calls it.", "按服务端的叫法填写。"),
    "way_model_ollama": Entry("As “ollama list” shows it.", "按 “ollama list” 显示的名称填写。"),
    "way_model_hosted": Entry("provider/model, as LiteLLM writes it.", "按 LiteLLM 的写法：服务商/模型。"),
    "way_file": Entry("File", "文件"),
    "way_no_files": Entry(
        "There is no usable file in the folder of models yet. Put one there, or fetch one under “Files”.",
        "模型文件夹里还没有可用的文件。请放一个进去，或在“模型文件”里下载。",
    ),
    "way_base": Entry("Address", "地址"),
    "way_base_url": Entry("With its path, which mostly ends in /v1.", "包括路径，通常以 /v1 结尾。"),
    "way_base_ollama": Entry("Empty: Ollama on this computer.", "留空：这台电脑上的 Ollama。"),
    "way_key": Entry("Key", "密钥"),
    "way_key_means": Entry(
        "Kept sealed on the server; it never comes back to this page. Another address needs it anew.",
        "加密保存在服务器上，不会再回到这个页面。换了地址需要重新填写。",
    ),
    "way_key_kept": Entry("kept; leave empty to keep it", "已保存；留空则不变"),
    "way_key_forget": Entry("Forget the kept key", "删除已保存的密钥"),
    "way_key_env": Entry("or the environment variable that holds it", "或存放密钥的环境变量"),
    "way_key_env_example": Entry("MY_API_KEY", "MY_API_KEY"),
    "way_key_env_means": Entry(
        "In capitals, ending in _API_KEY, set for Keepsake’s process. A hosted provider without either is asked with LiteLLM’s own variable for it.",
        "大写，以 _API_KEY 结尾，须对 Keepsake 进程可见。在线服务商两者都不填时，使用 LiteLLM 为它约定的变量。",
    ),
    "way_context": Entry("Window, tokens", "上下文窗口（词元）"),
    "way_context_means": Entry("Of prompt and reply together.", "提示与回复合计。"),
    "way_reply": Entry("Longest reply, tokens", "最长回复（词元）"),
    "way_reply_means": Entry("At most half of the window.", "最多为窗口的一半。"),
    "way_wait": Entry("Longest silence, seconds", "最长无响应时间（秒）"),
    "way_threads": Entry("Threads", "线程数"),
    "way_threads_means": Entry("0: one for each processor.", "0：每个处理器一个。"),
    "way_memory": Entry(
        "It takes about {size} of memory with this window. It was made for a window of {window} tokens.",
        "按这个窗口约占用 {size} 内存。模型本身的窗口为 {window} 词元。",
    ),
    "way_window": Entry("window {n} tokens", "窗口 {n} 词元"),
    "way_save_and_try": Entry("Save and test", "保存并测试"),
    "way_edit": Entry("Change", "修改"),
    "way_remove": Entry("Remove", "移除"),
    "way_remove_title": Entry("Remove “{name}”?", "移除“{name}”？"),
    "way_remove_means": Entry("Its key is forgotten with it. Files stay where they are.", "它的密钥会一并删除。文件不受影响。"),
    "haskey_kept": Entry("key set", "已设密钥"),
    "haskey_environment": Entry("key from {name}", "密钥来自 {name}"),
    "haskey_missing": Entry("{name} is not set", "未设置 {name}"),
    "haskey_none": Entry("no key", "无密钥"),
    "dialect": Entry("How it is asked", "请求方式"),
    "dialect_means": Entry(
        "Learned from what its server refuses, and yours to change. It holds from the next request on.",
        "根据服务端的拒绝自动得出，也可以自己改；从下一次请求起生效。",
    ),
    "dialect_usual": Entry("As most servers take it.", "与大多数服务相同。"),
    "dialect_system": Entry("System messages", "系统消息"),
    "dialect_system_anywhere": Entry("wherever they stand", "在任何位置"),
    "dialect_system_first": Entry("only at the beginning", "只能在开头"),
    "dialect_system_none": Entry("at the head of the user’s first message", "并入第一条用户消息"),
    "dialect_alternate": Entry("Turns", "轮次"),
    "dialect_alternate_no": Entry("in any order", "不限顺序"),
    "dialect_alternate_yes": Entry("user and model in turns, the user first and last", "用户与模型轮流，首尾都是用户"),
    "dialect_limit": Entry("Longest reply is sent as", "回复长度上限的参数名"),
    "dialect_limit_max_tokens": Entry("max_tokens", "max_tokens"),
    "dialect_limit_max_completion_tokens": Entry("max_completion_tokens", "max_completion_tokens"),
    "dialect_limit_none": Entry("not at all", "不发送"),
    "dialect_form": Entry("JSON is asked for", "索取 JSON 的方式"),
    "dialect_form_schema": Entry("by a schema", "按格式（schema）"),
    "dialect_form_object": Entry("as a JSON object", "按 JSON 对象"),
    "dialect_form_none": Entry("in words alone", "只用文字说明"),
    "dialect_without": Entry("Not sent", "不发送的参数"),
    "dialect_without_example": Entry("temperature, top_p", "temperature, top_p"),
    "dialect_window": Entry("Window by its own word, tokens", "服务端自报的上下文窗口（词元）"),
    "dialect_reply": Entry("Longest reply by its own word, tokens", "服务端自报的最长回复（词元）"),
    "dialect_zero": Entry("0: not known.", "0：未知。"),
    "dialect_forget": Entry("As most take it", "恢复通常方式"),
    "trial_do": Entry("Test", "测试"),
    "trial_running": Entry(
        "Asking {model} for one sentence and one answer as JSON … A model in a file is loaded first.",
        "正在请 {model} 说一句话，再给一个 JSON 回答…文件里的模型要先加载。",
    ),
    "trial_speed": Entry(
        "It answers: first word after {first} s, then {rate} tokens a second.", "有应答：{first} 秒后出第一个字，之后每秒 {rate} 词元。"
    ),
    "trial_first": Entry("It answers: first word after {first} s.", "有应答：{first} 秒后出第一个字。"),
    "trial_json_schema": Entry("JSON by a schema works: it can read for memory.", "能按格式给出 JSON：可以用来整理记忆。"),
    "trial_json_text": Entry(
        "It refuses schemas, and answers with JSON when asked in words: it can read for memory, with more slips.",
        "不支持按格式约束，但按文字要求能给出 JSON：可以整理记忆，失误会多一些。",
    ),
    "trial_json_no": Entry("It gave no usable JSON: good for chat, not for memory.", "没能给出可用的 JSON：可以聊天，不适合整理记忆。"),
    "trial_address": Entry(
        "Nobody answers at {host}. Is the server running, and is its address right?", "{host} 没有应答。服务是否在运行，地址是否正确？"
    ),
    "trial_certificate": Entry(
        "The certificate of {host} is not one that this computer trusts, so nothing was sent.",
        "{host} 的证书不受这台电脑信任，所以没有发送任何内容。",
    ),
    "trial_key": Entry("The key was refused, or there is none. Enter it anew.", "密钥被拒绝，或者没有密钥。请重新填写。"),
    "trial_model": Entry(
        "{host} does not know the model “{model}”, or the address lacks its path (mostly /v1).",
        "{host} 不认识模型“{model}”，或者地址缺少路径（通常是 /v1）。",
    ),
    "trial_thought": Entry(
        "{model} thought, and gave no answer. Give it more tokens (Sampling), or switch its thinking off.",
        "{model} 只顾着思考，没有给出回答。请把词元上限调大（采样），或关闭它的思考。",
    ),
    "trial_not_chat": Entry("What answers at {host} is not a chat model.", "{host} 上应答的不是聊天模型。"),
    "trial_timeout": Entry("{host} did not answer in time.", "{host} 没有及时应答。"),
    "trial_busy": Entry(
        "{host} has too much to do, or the account has no credit left. Try again later.", "{host} 太忙，或账户额度已用完。请稍后再试。"
    ),
    "trial_window": Entry("The window is larger than the model’s.", "窗口设得比模型本身的大。"),
    "trial_filter": Entry("The provider’s filter refused even a greeting.", "服务商的过滤器连一句问候也拒绝了。"),
    "trial_redirect": Entry(
        "{host} leads on to another address, which is not followed. Enter that one.",
        "{host} 要转到另一个地址，这里不会跟随。请直接填写那个地址。",
    ),
    "trial_file": Entry("The model’s file could not be loaded.", "模型文件无法加载。"),
    "trial_broke": Entry("{host} broke off in the middle.", "{host} 中途断开了。"),
    "trial_failed": Entry("{host} failed.", "{host} 出错了。"),
    "trial_refused": Entry("{host} refused the request.", "{host} 拒绝了请求。"),
    "trial_empty": Entry("{model} ended its answer without a word.", "{model} 一个字也没写就结束了。"),
    "trial_tools": Entry(
        "{model} asked for a tool instead of answering; there are none here.", "{model} 没有回答，而是要调用工具；这里没有工具。"
    ),
    "trial_cut": Entry("{model} used up its tokens without a word.", "{model} 用完了词元，却一个字也没写。"),
    "trial_long": Entry("{model} was not done after half an hour.", "{model} 半小时后仍未写完。"),
    "trial_peer": Entry("{host} is an address that is never asked.", "{host} 是从不访问的地址。"),
    "fault_refused": Entry("{model} refused the request. Nothing you wrote is lost.", "{model} 拒绝了请求。你写的内容都在。"),
    "fault_window": Entry(
        "The prompt is longer than {model} reads. Nothing you wrote is lost. Lower its window under “Models”, then ask again.",
        "提示超出了 {model} 能读的长度。你写的内容都在。请在“模型”里把上下文窗口调小，然后再次请求。",
    ),
    "fault_filter": Entry(
        "The content filter of {model} stopped the reply. What had come is kept. Say it differently, or use another model.",
        "{model} 的内容过滤器中止了回复。已收到的部分保留了。请换个说法，或换一个模型。",
    ),
    "fault_model": Entry(
        "{model} is not known at its address, or the address lacks its path (mostly /v1). Nothing you wrote is lost. Look under “Models”.",
        "该地址不认识 {model}，或者地址缺少路径（通常是 /v1）。你写的内容都在。请到“模型”里查看。",
    ),
    "fault_not_chat": Entry(
        "What answers at the address of {model} is not a chat model. Nothing you wrote is lost. Look under “Models”.",
        "{model} 的地址上应答的不是聊天模型。你写的内容都在。请到“模型”里查看。",
    ),
    "fault_key": Entry(
        "{model} refused the key, or wants one. Nothing you wrote is lost. Enter it anew under “Models”.",
        "{model} 拒绝了密钥，或需要密钥。你写的内容都在。请在“模型”里重新填写。",
    ),
    "fault_tools": Entry(
        "{model} asked for a tool instead of answering, and there are none here. Nothing you wrote is lost. Ask again, or switch its tools off where it runs.",
        "{model} 没有回答，而是要调用工具；这里没有工具。你写的内容都在。请再次请求，或在它运行的地方关闭工具。",
    ),
    "fault_cut": Entry(
        "{model} used up the tokens of its reply without a word. Nothing you wrote is lost. Give it more (Models, Sampling), or ask again.",
        "{model} 用完了回复的词元，却一个字也没写。你写的内容都在。请把上限调大（模型→采样），或再次请求。",
    ),
    "fault_long": Entry(
        "{model} was not done after half an hour. What had come is kept. Ask it to go on.",
        "{model} 半小时后仍未写完。已收到的部分保留了。可以请它接着写。",
    ),
    "fault_said": Entry("The server says: “{said}”", "服务器的说法：“{said}”"),
    "files_means": Entry(
        "A GGUF file holds a whole language model. Those in this folder can be used: put one there (or a link to one) and it appears here.",
        "一个 GGUF 文件就是一个完整的语言模型。这个文件夹里的都可以使用：放进去（或放一个链接）就会出现在这里。",
    ),
    "upload_do": Entry("Bring a file from this computer", "从本机选择文件"),
    "upload_do_means": Entry("Copies a GGUF file that your browser can reach into the folder.", "把浏览器能读到的 GGUF 文件复制进文件夹。"),
    "upload_going": Entry("{name}: {done} of {total}", "{name}：{done}，共 {total}"),
    "upload_looking": Entry("{name}: looking at it …", "{name}：正在检查…"),
    "upload_progress": Entry("How much has come in", "上传进度"),
    "upload_cancel": Entry("Cancel", "取消"),
    "did_upload": Entry("{name} is in the folder of models.", "{name} 已在模型文件夹里。"),
    "upload_cancelled": Entry("Cancelled. Nothing of {name} was kept.", "已取消，没有留下 {name} 的任何内容。"),
    "upload_broken": Entry(
        "The connection broke. Nothing of {name} was kept; choose it again.", "连接中断，没有留下 {name} 的任何内容，请重新选择。"
    ),
    "error_upload_refused": Entry("This file is not taken. Nothing was kept.", "无法接收这个文件，没有留下任何内容。"),
    "error_upload_name": Entry(
        "The name of a model’s file ends in .gguf and has letters, digits, dots, hyphens and underscores. Rename it and choose it again.",
        "模型文件名须以 .gguf 结尾，只含文字、数字、点、连字符和下划线。请改名后重新选择。",
    ),
    "error_upload_there": Entry(
        "There is a file {name} in the folder already. Rename one of them.", "文件夹里已有名为 {name} 的文件，请给其中一个改名。"
    ),
    "error_upload_too_large": Entry(
        "{limit} GB are the most that is taken, and an empty file is none.", "最多接收 {limit} GB；空文件也不行。"
    ),
    "error_upload_no_room": Entry(
        "There is not enough room: {needed} GB are wanted, {free} GB are free.", "空间不足：需要 {needed} GB，剩余 {free} GB。"
    ),
    "error_upload_running": Entry(
        "A file is coming in already. Wait until it is there, or cancel it.", "已有文件正在传入，请等它完成或取消。"
    ),
    "error_upload_no_model": Entry(
        "{name} is no GGUF file, or is damaged. It was not kept.", "{name} 不是 GGUF 文件，或已损坏，没有保留。"
    ),
    "error_upload_no_chat": Entry(
        "{name} has no chat template: one cannot talk with it. It was not kept.", "{name} 没有对话模板，无法用来聊天，没有保留。"
    ),
    "error_upload_cut": Entry(
        "{name} did not come whole. It was not kept; choose it again.", "{name} 没有完整传入，没有保留，请重新选择。"
    ),
    "files_none": Entry("The folder is empty.", "文件夹是空的。"),
    "file_window": Entry("window up to {n} tokens", "窗口最大 {n} 词元"),
    "file_licence": Entry("licence by its own word: {licence}", "文件自述的许可证：{licence}"),
    "file_no_chat": Entry("No chat template: one cannot talk with it.", "没有对话模板，无法用来聊天。"),
    "file_unreadable": Entry("This is no GGUF file that can be read here.", "这不是这里能读取的 GGUF 文件。"),
    "file_use": Entry("Connect", "建立连接"),
    "gigabytes": Entry("{size} GB", "{size} GB"),
    "megabytes": Entry("{size} MB", "{size} MB"),
    "offers": Entry("Openly licensed models to fetch", "可下载的开放许可模型"),
    "offers_means": Entry(
        "From {host}. Sizes are rounded. The checksum is not ours: it is read from the hub’s own record of the file, and what comes is compared with it.",
        "来自 {host}。大小为约数。校验值不是我们给的：取自模型库对该文件的记录，下载的内容会与之比对。",
    ),
    "offer_size": Entry("about {size}", "约 {size}"),
    "offer_parameters": Entry("{n} billion parameters", "{n}B 参数"),
    "fetch_do": Entry("Fetch", "下载"),
    "fetch_on": Entry("Go on", "继续下载"),
    "fetch_halt": Entry("Stop", "停止"),
    "fetch_discard": Entry("Throw away", "丢弃"),
    "fetch_title": Entry("Fetch {name}?", "下载 {name}？"),
    "fetch_means": Entry(
        "About {size} come from {host} ({repo}). The hub learns this computer’s address and which file it wants; nothing else is sent.",
        "将从 {host}（{repo}）下载约 {size}。模型库会知道这台电脑的地址和所要的文件，此外不发送任何内容。",
    ),
    "fetch_licence": Entry("Licence: {licence}, for all use.", "许可证：{licence}，可用于任何用途。"),
    "fetch_checksum": Entry("It is used only when its checksum is right.", "校验正确后才会使用。"),
    "fetch_free": Entry("{size} are free on this disk; 1 GB of it stays free.", "磁盘剩余 {size}；其中 1 GB 会保持空闲。"),
    "fetch_progress": Entry("How much has come", "下载进度"),
    "fetch_asking": Entry("Asking the hub …", "正在询问模型库…"),
    "fetch_fetching": Entry("{done} of {total}", "{done}，共 {total}"),
    "fetch_checking": Entry("Comparing the checksum of {total} …", "正在核对 {total} 的校验值…"),
    "fetch_stopped": Entry("Stopped at {done} of {total}", "停在 {done}，共 {total}"),
    "fetch_done": Entry("It is in the folder.", "已在文件夹里。"),
    "fetch_sha": Entry("SHA-256 by the hub: {sum}", "模型库记录的 SHA-256：{sum}"),
    "error_hub_off": Entry(
        "Reaching model hubs is switched off. Set KEEPSAKE_HUB=true and start Keepsake again to fetch models.",
        "访问模型库已关闭。要下载模型，请设置 KEEPSAKE_HUB=true 后重新启动 Keepsake。",
    ),
    "error_hub_unreachable": Entry(
        "The model hub cannot be reached, or the connection broke. What was fetched is kept: go on when there is a network.",
        "无法访问模型库，或连接中断。已下载的部分都在：有网络后可以继续。",
    ),
    "error_hub_refused": Entry(
        "The hub does not give this file, or gives no checksum for it (it said {status}). Nothing more was fetched.",
        "模型库不提供这个文件，或没有它的校验值（返回 {status}）。没有继续下载。",
    ),
    "error_file_damaged": Entry(
        "What came is not the file of the hub’s record: its checksum or size differs. It was thrown away; fetch it again.",
        "下载的内容与模型库的记录不符（校验值或大小不同），已丢弃，请重新下载。",
    ),
    "error_fetch_running": Entry(
        "A model is being fetched. Wait until it is there, or stop it.", "正在下载一个模型。请等它完成，或先停止。"
    ),
    "error_fetch_failed": Entry("Fetching the model failed.", "下载模型失败。"),
    "error_no_room_for_file": Entry(
        "There is not enough room: {needed} GB are wanted, {free} GB are free. What was fetched is kept.",
        "空间不足：需要 {needed} GB，剩余 {free} GB。已下载的部分都在。",
    ),
    "error_connection_unfit": Entry(
        "Something here is missing, too long or out of its bounds. Nothing was changed.", "有内容缺失、过长或超出范围。没有任何改动。"
    ),
    "error_address_unfit": Entry(
        "An address is http:// or https:// with a host, without a name, password, “?” or “#”; link-local ones (169.254…) are refused. Nothing was changed.",
        "地址须以 http:// 或 https:// 开头并带主机名，不能含用户名、密码、“?”或“#”；链路本地地址（169.254…）不接受。没有任何改动。",
    ),
    "error_model_name_unfit": Entry(
        "This is no name of a model. A hosted one is written as provider/model. Nothing was changed.",
        "这不是模型名称。在线模型写作：服务商/模型。没有任何改动。",
    ),
    "error_key_name_unfit": Entry(
        "A variable that holds a key is written in capitals and ends in _API_KEY. Nothing was changed.",
        "存放密钥的变量须大写并以 _API_KEY 结尾。没有任何改动。",
    ),
    "error_window_too_small": Entry(
        "Memory and judging need a window of {least} tokens. Nothing was changed.", "整理记忆和评判需要 {least} 词元的窗口。没有任何改动。"
    ),
    "error_file_unfit": Entry(
        "The model’s file {name} is not in the folder of models, or is no model that one can talk with. Put it back, or choose another under “Models”.",
        "模型文件 {name} 不在模型文件夹里，或不是可以聊天的模型。请放回去，或在“模型”里另选一个。",
    ),
    "error_key_unreadable": Entry(
        "The key kept for this model cannot be read any more: what it was sealed with is gone (after a backup was restored, say). Enter it again under “Models”.",
        "为这个模型保存的密钥已无法读取：当初加密用的文件换了或不在了（例如恢复备份之后）。请在“模型”里重新填写。",
    ),
    "error_key_missing": Entry(
        "The environment variable {name}, which is to hold this model’s key, is not set. Set it and start Keepsake again.",
        "用来存放这个模型密钥的环境变量 {name} 没有设置。请设置后重新启动 Keepsake。",
    ),
    "error_no_such_model": Entry("This is not there any more. Nothing was changed.", "它已经不在了。没有任何改动。"),
    "error_connection_in_use": Entry(
        "This model serves in a role. Choose another under “Who answers” first; nothing was changed.",
        "这个模型正在使用。请先在“由谁回答”里另选一个；没有任何改动。",
    ),
    "error_trial_running": Entry("A model is being tested already. Wait until that is over.", "正在测试一个模型，请等它结束。"),
    "error_not_for_you": Entry(
        "Only an admin may change which models there are. Nothing was changed.", "只有管理员可以更改模型。没有任何改动。"
    ),
    "unanswered_file_unfit": Entry("Its file is not there, or is no model.", "它的文件不在，或不是模型。"),
    "unanswered_key_unreadable": Entry("Its key cannot be read any more.", "它的密钥已无法读取。"),
    "unanswered_key_missing": Entry("The variable that is to hold its key is not set.", "存放密钥的环境变量没有设置。"),
}
