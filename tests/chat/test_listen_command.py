"""`python -m chat.listen`: a file and a pipe into a conversation that listens, over a real address."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chat.fed_lines import FeedRefused
from chat.listen import TOKEN, Sent, Unfed, asker, batches, identified, main
from tests.ui.served import Person, Served, first_admin, served
from tests.waiting import PATIENCE_S

Run = Callable[..., int]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("listen")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ada(house: Served) -> Person:
    return first_admin(house)


@pytest.fixture
def url(house: Served, ada: Person, monkeypatch: pytest.MonkeyPatch) -> str:
    """Of a conversation that listens, with its token where the command looks for it."""
    ear = house.house.service.listening.create(ada.user_id, "builtin:nell-garrow", player="Ann")
    monkeypatch.setenv(TOKEN, house.house.service.listen_tokens.make(ada.user_id, ear, name=""))
    return f"{house.url}/keepsake/listen/{ear}"


def said(house: Served, ada: Person, url: str) -> list[str]:
    return [m.text for m in house.house.service.transcript(ada.user_id, url.rpartition("/")[2], limit=600).messages]


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def line(text: str, speaker: str = "Ann") -> dict[str, str]:
    return {"speaker": speaker, "text": text}


def test_a_file_comes_in_once_and_what_was_added_to_it_comes_in_later(
    house: Served, ada: Person, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = [line(f"Line {n}.") for n in range(250)]
    file = write(tmp_path / "lines.jsonl", *first, line("Yes."), line("Yes."))
    assert main([url, str(file)]) == 0
    assert "252 new lines; 0 were there already" in capsys.readouterr().out
    write(file, *first, line("Yes."), line("Yes."), "", line("Yes."))
    assert main([url, str(file)]) == 0
    assert "1 new lines; 252 were there already" in capsys.readouterr().out
    assert said(house, ada, url)[-4:] == ["Line 249.", "Yes.", "Yes.", "Yes."]


def test_a_line_that_is_none_ends_it_there_and_the_lines_before_it_are_kept_and_not_doubled(
    house: Served, ada: Person, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "lines.jsonl", *[line(f"Line {n}.") for n in range(MANY)], "nonsense", line("Later."))
    assert main([url, str(file)]) == 1
    assert f"line {MANY + 1}: it is no JSON object" in capsys.readouterr().err
    write(file, *[line(f"Line {n}.") for n in range(MANY)], line("Later."))
    assert main([url, str(file)]) == 0
    assert said(house, ada, url) == [*(f"Line {n}." for n in range(MANY)), "Later."]


MANY = 205
"""More than are sent at once."""


def test_a_pipe_is_fed_as_it_comes_and_goes_on_by_its_name(house: Served, ada: Person, url: str) -> None:
    command = [sys.executable, "-m", "chat.listen", url, "--name", "radio"]
    for sent in (("One.",), ("One.", "Two.")):
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ}) as child:
            assert child.stdin is not None
            for text in sent:
                child.stdin.write(json.dumps(line(text)).encode() + b"\n")
                child.stdin.flush()
            out, _ = child.communicate(timeout=PATIENCE_S)
        assert child.returncode == 0
    assert out.decode().strip() == "1 new lines; 1 were there already"
    assert said(house, ada, url) == ["One.", "Two."]


def test_what_the_address_says_is_told_with_the_line_of_the_file(
    house: Served, ada: Person, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([url, str(write(tmp_path / "a.jsonl", {**line("One."), "id": "7"}))]) == 0
    assert main([url, str(write(tmp_path / "b.jsonl", "", line("Zero."), {**line("Other."), "id": "7"}))]) == 1
    assert "line 3: Line 2, id: another line of this conversation has this id" in capsys.readouterr().err


def test_a_wrong_token_ends_it_at_once(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(TOKEN, "kl_wrong")
    assert main([url, str(write(tmp_path / "a.jsonl", line("One.")))]) == 1
    assert "This token does not open this conversation" in capsys.readouterr().err


def test_an_address_that_does_not_answer_is_given_up_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chat.listen.PATIENCE_S", 0.1)
    with pytest.raises(Unfed, match=r"127\.0\.0\.1:9 cannot be reached"):
        asker("http://127.0.0.1:9/keepsake/listen/x", "")([Sent(1, b"{}")])


def test_wrong_usage_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["ftp://x", str(tmp_path)])
    assert ended.value.code == 2


def test_lines_without_an_id_get_one_by_their_words_and_how_often_they_were_said() -> None:
    raw = [json.dumps(line("Yes.")).encode(), b"", json.dumps(line("Yes.")).encode(), json.dumps({**line("No."), "id": 3}).encode()]
    once, again = (list(identified(iter(raw), name="", by_words=True)) for _ in range(2))
    assert once == again
    ids = [json.loads(sent.raw)["id"] for sent in once]
    assert len(set(ids)) == 3
    assert ids[2] == 3
    assert [sent.number for sent in once] == [1, 3, 4]
    assert [json.loads(s.raw)["id"] for s in identified(iter(raw), name="radio", by_words=True)] == ["radio:1", "radio:3", 3]
    with pytest.raises(FeedRefused):
        list(identified(iter([b"[]"]), name="", by_words=True))


def test_a_batch_holds_what_one_request_takes() -> None:
    sent = [Sent(n, b"x" * 20_000) for n in range(60)]
    made = list(batches(iter(sent), waits=False))
    assert [s for batch in made for s in batch] == sent
    assert max(sum(len(s.raw) for s in batch) for batch in made) <= 512 * 1024
