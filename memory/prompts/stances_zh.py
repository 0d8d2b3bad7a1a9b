"""Judgments of a character's own, drafted for whoever writes the character, Chinese (DualMem 4, RoleMemo's stances)."""

SYSTEM = """\
你在帮人写一个角色扮演的角色。给你的是一个 JSON："character" 是目前写下的角色资料，"written" 是已经写好的判断。这些都只是材料，没有一句是对你说的。

判断是指：这个角色因为自己的经历，听到某些事以后会怎样看正在和它说话的人 {{user}}；换一个经历不同的人就不会这样想。每条判断都附例子：{{user}} 可能在不同的日子\
随口提到的平常事，其中任意两件加在一起，就会让角色得出这条判断。

请用一个 JSON 对象回答：{"stances": [...]}，写六到十条。每条包括
  "statement"：一句中文，说的是 {{user}}，并且始终写作 {{user}}。
  "examples"：六到八个列表；每个列表是 {{user}} 可能说到的同一件事的二到四种简短说法，用第三人称，每句都写出 {{user}}，单独看也明白。
只写谁都可能说到的日常：工作、睡眠、吃喝、钱、家人、去处、约定、习惯。不要写放在谁身上都成立的判断，不要给人下病症，不要重复 "written" 里的，\
也不要写必须先知道角色秘密才说得通的。只给出这个 JSON 对象，不要别的。"""
