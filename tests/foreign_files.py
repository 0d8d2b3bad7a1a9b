"""Files that hold what `foreign_text` does, wherever their formats hold text."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import FilePayload

from tests.foreign_text import CORPUS, HOSTILE_NAME, Serving


def card(serving: Serving, number: int) -> FilePayload:
    """A card of the third version with the corpus in everything that holds text, in names of fields too."""

    def some(letters: int = 400) -> str:
        return serving.fitting(letters)

    entry = {
        "keys": [some(60)],
        "secondary_keys": [some(60)],
        "content": some(),
        "comment": some(),
        "name": some(90),
        "extensions": {some(60): some()},
    }
    entry |= {"enabled": True, "insertion_order": 1, "use_regex": False, "constant": True, "selective": False}
    texts = (
        "description",
        "personality",
        "scenario",
        "first_mes",
        "mes_example",
        "creator_notes",
        "system_prompt",
        "post_history_instructions",
    )
    data: dict[str, Any] = {name: some() for name in texts}
    data |= {
        "name": f"{number} {some(80)}",
        "creator": some(150),
        "character_version": some(100),
        "nickname": some(100),
        "source": [some(100)],
    }
    data |= {"tags": [some(60), some(60)], "alternate_greetings": [some(), some()], "group_only_greetings": [some()]}
    data |= {"creator_notes_multilingual": {"en": some(), some(60): some()}, "extensions": {some(60): some(), "deep": {"er": some()}}}
    data |= {"assets": [{"type": "icon", "uri": some(100), "name": some(50), "ext": "png"}], some(60): some()}
    data |= {"character_book": {"name": some(100), "description": some(), "entries": [entry], "extensions": {}}}
    whole = {"spec": "chara_card_v3", "spec_version": "3.0", "data": data, some(60): some()}
    name = f"{serving.fitting(60)} {number}.json".replace("/", " ")
    return {"name": name, "mimeType": "application/json", "buffer": json.dumps(whole).encode()}


def chat_files(serving: Serving) -> dict[str, str]:
    """Conversations of other programs with the corpus in every text, and files that are refused with what is wrong in them: a page that does not take one says why,
    in its own words."""
    head = {"user_name": f"A {HOSTILE_NAME}", "character_name": f"B {HOSTILE_NAME}", "chat_metadata": {"note_prompt": serving.fitting(300)}}
    said = [
        {"name": head["user_name"], "is_user": True, "send_date": "2024-05-01T18:30:00Z", "mes": "\n\n".join(CORPUS), "extra": {"x": serving.fitting(90)}},
        {"name": head["character_name"], "is_user": False, "send_date": "2024-05-01T18:31:00Z", "mes": "\n\n".join(CORPUS), "swipes": ["\n\n".join(CORPUS)]},
    ]  # fmt: skip
    jsonl = "\n".join(json.dumps(line) for line in (head, *said))
    return {
        f"{HOSTILE_NAME}.jsonl".replace("/", ""): jsonl,
        "broken <svg onload=hacked(1)>.jsonl": jsonl + "\n" + json.dumps({"<img src=x onerror=hacked(2)>": serving.fitting(200)}),
        "text <svg onload=hacked(3)>.txt": "\n".join(f"Ann: {line}\nBo: {line}" for line in CORPUS),
        "bundle <svg onload=hacked(4)>.keepsake.jsonl": json.dumps(
            {"keepsake": HOSTILE_NAME, "format": serving.fitting(200), "version": HOSTILE_NAME}
        ),
        "no text <svg onload=hacked(5)>.json": json.dumps([{HOSTILE_NAME: serving.fitting(200)}]),
    }
