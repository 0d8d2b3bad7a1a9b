"""The program under replies by the hundred: what it holds open stays as it is, and its memory does not grow with what is said."""

from __future__ import annotations

import pytest

from evaluation.bench.soak import OPEN_FILES, growth, soak


@pytest.mark.long
def test_replies_leave_nothing_open_and_little_in_memory() -> None:
    found = soak(300, samples=30)
    warm = found[len(found) // 3 :]
    assert found[-1].replies == 300
    files = [sample.files for sample in warm]
    assert max(files) <= files[0] + 24, "a hundred replies once left six hundred open"
    assert max(files) < OPEN_FILES // 3
    assert max(sample.threads for sample in warm) <= warm[0].threads + 12
    assert growth([sample.memory for sample in warm], 0) < 0.12, "two hundred replies once took three hundred megabytes"


def test_growth_is_of_the_end_over_the_time_after_it_is_warm() -> None:
    assert growth([50, 90, 100, 100, 100, 100, 100, 100, 102, 102], 2) == pytest.approx(0.02)
    assert growth([100] * 10, 2) == 0
