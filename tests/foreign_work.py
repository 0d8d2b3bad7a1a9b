"""More of the house of `tests.foreign_house`: a conversation that listens, marks, tasks, probes, runs of the evaluation."""

from __future__ import annotations

import json
import secrets
from typing import Any

from tests.foreign_house import MEMORABLE, Foreign, fill, point_of, project_fields, through
from tests.foreign_text import CORPUS, HOSTILE_NAME, Serving
from tests.ui.served import Person

HEARD = 6
"""Lines that hold the corpus between them."""
RUNS = "/keepsake/runs"


@through("hearing: input", "listening: listen_add_speaker", "feeds: input")
def listening(at: Foreign) -> None:
    """Names of speakers and of tokens, and lines that a program brings with one of these."""
    ear = at.ids["ear"] = at.service.listening.create(
        at.user, at.ids["character"], player=at.serving.fitting(70), title=at.serving.fitting(80)
    )
    for _ in range(3):
        news = at.ada.client.post("/keepsake/listening", json={"do": "make", "chat": ear, "name": at.serving.fitting(80)}).json()
        assert "refused" not in news, news
    texts = [line.format(at.serving.fitting(60)) for line in MEMORABLE] + ["\n\n".join(CORPUS[n::HEARD]) for n in range(HEARD)]
    lines = [{"speaker": at.serving.fitting(70, most=1), "text": text, "id": f"{n} {HOSTILE_NAME}"} for n, text in enumerate(texts)]
    bearer = {"authorization": f"Bearer {news['made']}"}
    body = "\n".join(json.dumps(line) for line in lines)
    said = at.ada.served.client().post(f"/keepsake/listen/{ear}", content=body.encode(), headers=bearer).json()
    assert said["added"] == len(texts), said
    at.service.listening.say(at.user, ear, "Where do I live?", speaker=HOSTILE_NAME, token="asks")


@through("marking: input", "marking: textarea")
def marks(at: Foreign) -> None:
    chat = at.ids["chat"]
    messages = at.service.transcript(at.user, chat).messages
    made = at.bench("mark", chat=chat, message=messages[-1].id, consent="yes")
    at.ids |= {"marks": made["project"], "marked": made["work"]}
    at.bench("mark", chat=chat, message=messages[-2].id, chosen=messages[-2].text[:40], ahead=0, consent="yes")
    at.bench("mark_probe", chat=chat, message=messages[-1].id, probe=_universal(at), consent="yes")


@through("collect: textarea")
def tasks(at: Foreign) -> None:
    """Ada has one under way; somebody else handed theirs in too early, and said why."""
    project = at.ids["task"] = at.bench("make_project", project=project_fields(at, rounds=3))["project"]["id"]
    at.bench("ask_characters", project=project, characters=at.ids["character"])
    for by in (at.ada, at.annotator):
        chat = at.bench("begin", by=by, project=project, character=at.ids["character"], consent="yes")["chat"]
        at.say(chat, at.serving.fitting(300), at.serving.fitting(300), by=by)
        taking = at.bench("taking", by=by, chat=chat)["taking"]["id"]
        if by is at.ada:
            at.ids |= {"taken": chat, "taking": taking}
        else:
            seal = at.bench("hand_preview", by=by, taking=taking, words="alert")["seal"]
            at.bench("hand_in", by=by, taking=taking, consent="yes", seal=seal, words="alert", reason=at.serving.fitting(1900))


@through("regular: input", "regular: textarea")
def regular_probes(at: Foreign) -> None:
    """One that was rejected, one that waits for its reviewers, one that two have decided about differently, one that is being written."""
    fields = project_fields(at)
    project = at.ids["probed"] = at.bench("make_project", project=fields)["project"]["id"]
    talk = "\n".join(f"Ann: {line}\nBo: {line}" for line in CORPUS[:20])
    at.ada.client.post(
        "/keepsake/annotation/dialogues", params={"project": project, "name": f"{HOSTILE_NAME}.txt"}, content=talk.encode()
    ).raise_for_status()
    point = point_of(at, fields["categories"][0])
    for by in (at.ada, at.annotator):
        mine = at.bench("take", by=by, project=project, role="annotator")["assignment"]
        at.bench("keep_point", by=by, assignment=mine["id"], point={**point, "id": secrets.token_hex(16)})
        at.bench("submit", by=by, assignment=mine["id"])
    at.ids["golden"] = item = mine["item_id"]
    review = at.bench("take", by=at.reviewer, project=project, role="reviewer")["assignment"]
    at.bench("finish", by=at.reviewer, assignment=review["id"])
    at.bench("release", item=item)
    work = at.bench("regular", item=item)["work"]["id"]
    for rejected in (True, False):
        kept = at.bench("regular_keep", item=item, probe=_regular(at))["kept"]
        at.bench("regular_submit", item=item, id=kept, version=1)
        for by in (at.reviewer, at.second) if rejected else ():
            _decided(at, by, kept, "rejected")
    disputed = at.bench("regular_keep", by=at.annotator, item=item, probe=_regular(at))["kept"]
    at.bench("regular_submit", by=at.annotator, item=item, id=disputed, version=1)
    _decided(at, at.second, disputed, "edited")
    _decided(at, at.ada, disputed, "rejected")
    at.bench("regular_draft", assignment=work, draft=json.dumps(_regular(at)))


@through("runs: input", "settings: input")
def runs_of_probes(at: Foreign) -> None:
    """A run stands there with the names of its dialogue and its setting. Distances are numbers, and are typed in the browser where they are none."""
    run = {
        "kind": "universal",
        "settings": [{"name": at.serving.fitting(60), "capacity": 60, "capacity_tokens": 0, "k": 9}],
        "distances": [2],
    }
    at.bench("run_begin", project=at.ids["project"], item=at.ids["item"], run={**run, "replies": "no"})


@through("runs/home: input", "runs/questions: input", "runs/compare: input")
def runs(at: Foreign) -> None:
    """What looks for questions, and the name of a second system, go into the address: typed in the browser."""
    serving = Serving()  # begun first: what the rest of the house is given stays as it is
    texts = ["\n\n".join(CORPUS[n::HEARD]) for n in range(HEARD)]
    said = [{"speaker": "AB"[n % 2] + HOSTILE_NAME, "dia_id": f"D1:{n}", "text": text} for n, text in enumerate(texts, 1)]
    talk = {
        "speaker_a": f"A{HOSTILE_NAME}",
        "speaker_b": f"B{HOSTILE_NAME}",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": said,
    }
    asked = [{"question": serving.fitting(300), "category": 4, "evidence": [f"D1:{n}"], "answer": serving.fitting(90)} for n in (1, 3)]
    whole = {"sample_id": HOSTILE_NAME, "conversation": talk, "qa": asked}
    for name, data in (("whole", whole), ("broken", {**whole, "qa": [{**asked[0], "category": HOSTILE_NAME}]})):
        posted = at.ada.client.post(
            f"{RUNS}/data", params={"name": f"{name} {HOSTILE_NAME}.json"}, content=json.dumps([data]).encode()
        ).json()
        source = {"kind": "file", "name": posted["name"], "title": serving.fitting(200)}
        run = {"task": "retrieval", "data": source, "systems": ["sparse-turns"], "name": serving.fitting(110)}
        at.ids[name] = _run(at, "begin", run=run)["run"]


def furnish(at: Foreign) -> Foreign:
    """All of it. What runs by itself goes on: whoever looks at it waits for its end."""
    return fill(at, first=runs)


def _run(at: Foreign, doing: str, **fields: object) -> dict[str, Any]:
    answer: dict[str, Any] = at.ada.client.post(f"{RUNS}/do", json={"do": doing, **fields}).json()
    assert "error" not in answer, answer
    return answer


def _universal(at: Foreign) -> dict[str, Any]:
    return {
        "id": secrets.token_hex(16),
        "language": "en",
        "topic": at.serving.fitting(60),
        **{one: at.serving.fitting(300) for one in "pqa"},
        "version": 0,
    }


def _decided(at: Foreign, by: Person | None, probe: str, verdict: str) -> None:
    at.bench("regular_answer", by=by, id=probe, version=1, shown=0)
    instead = {**_regular(at), "id": probe} if verdict == "edited" else None
    told = {"verdict": verdict, "reason": "wording", "note": at.serving.fitting(1900), "probe": instead}
    at.bench("regular_decide", by=by, id=probe, version=1, verdict=told)


def _regular(at: Foreign) -> dict[str, Any]:
    lines = {"line": at.serving.fitting(490), "options": [at.serving.fitting(290) for _ in range(4)], "note": at.serving.fitting(1900)}
    return {"id": secrets.token_hex(16), "gold": 1, "language": "en", **lines, "version": 0}
