"""念给人听的信、纸条：引号里的“我”是写信的人，不是念的人。"""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.extraction import chinese
from memory.extraction.draft import Extraction, Line

SAID_AT = datetime(2024, 6, 12, 10)


def _read(text: str) -> Extraction:
    return chinese.extract(Line(text, "林岚", "顾长安", True, SAID_AT))


@pytest.mark.parametrize(
    "text",
    [
        "*我拆开信封，念给他听。*“我十年没回家了，我住在天津，在铁路上当司机。”",
        "“长安，见字如面。”*我清清嗓子，慢慢念。*“我搬到天津了，我怕打雷，我不养猫了。”",
        "“我去年到了工厂，他们说长安已经走了。我说我就是长安，我在院子里站了一天。”",
        "*我把纸条展开，读出声来。*“我把钥匙留在邻居家了，我周六去青岛。”",
    ],
)
def test_what_is_read_out_is_nothing_of_the_reader(text: str) -> None:
    read = _read(text)
    assert (read.facts, read.values, read.denials) == ((), (), ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("“我搬到天津了，我在铁路上当司机。”*我坐下来。*", "林岚搬到天津了，在铁路上当司机。"),
        ("“长安，我上个月去了青岛。”", "林岚2024年5月去了青岛。"),
        ("*她念给我听。*“我住在天津。”", "林岚住在天津。"),
        ("*我念叨着，把伞挂好。*“我住在天津。”", "林岚住在天津。"),
        ("*我想念她。*“我住在天津。”", "林岚住在天津。"),
        ("“我在念大学，我住在天津。”", "林岚在念大学，住在天津。"),
        ("我念完信，就去了青岛。", "林岚念完信，就去了青岛。"),
    ],
)
def test_ones_own_words_between_quotation_marks_are_ones_own(text: str, told: str) -> None:
    assert told in [fact.text for fact in _read(text).facts]
