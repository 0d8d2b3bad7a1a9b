"""Every sentence exists in both languages, says the same things, and is used."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import get_args

import pytest

from accounts.errors import AccountError
from chat.cards import FORMS as WAYS
from chat.import_words import SENTENCES
from chat.imported import FORMS as LAYOUTS
from chat.imported import KINDS
from chat.portable import CHECKING, FORMS, WRITING
from chat.views import Phase
from errors import KeepsakeError
from memory.derived import DERIVED, MOOD, NAMES
from memory.narrative import PRESETS
from memory.persona_keys import KEYS, Group
from models.connection import KINDS as MODEL_KINDS
from models.connection import ROLES, Reach
from models.downloads import Phase as Fetching
from models.errors import FAULTS
from models.sampling import PRESETS as SAMPLING_PRESETS
from models.sampling import Sampling
from models.trial import Json
from personas.cards.report import Coerced, Container, Dropped, Form, Kept, Mended
from storage.annotation_errors import AnnotationError
from ui.catalogue import CATALOGUE, words
from ui.language import LANGUAGES

UI = Path(__file__).resolve().parents[2] / "ui"
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in sorted((UI / "components").glob("*.js"))}
FAMILIES = (
    *(
        "unwritable_",
        "error_",
        "use_",
        "phase_",
        "status_",
        "section_",
        "reason_",
        "part_",
        "again_",
        "degraded_",
        "cross_",
        "reread_",
        "tour_",
        "speaks_",
        "kind_",
        "group_",
        "key_",
    ),
    *(
        "operation_",
        "binned_",
        "task_",
        "work_",
        "stage_",
        "refused_",
        "preset_",
        "turn_",
        "health_",
        "model_",
        "reach_",
        "leaves_",
        "derived_",
        "leans_",
        "asked_",
        "missing_",
        "unanswered_",
        "fault_",
        "dialect_",
        "field_",
        "fieldhint_",
        "exact_",
        "note_role_",
        "export_",
        "card_",
        "remark_",
        "form_",
        "container_",
        "way_",
        "layout_",
        "told_",
        "place_",
        "side_",
        "place_lore_",
        "role_lore_",
        "logic_",
        "models_tab_",
        "role_",
        "reach_",
        "way_kind_",
        "way_model_",
        "way_base_",
        "haskey_",
        "trial_",
        "trial_json_",
        "fetch_",
        "sampled_",
        "draws_",
        "mark_refused_",
        "carried_",
        "carried_kind_",
        "carrying_",
        "memory_file_",
        "memory_form_",
        "probe_",
        "order_by_",
        "unwritten_",
        "adult_",
        "theme_",
    ),
)
CHINESE = re.compile(r"[\u4e00-\u9fff]")
MODULES_WITH_ERRORS = (
    "chat.errors",
    "chat.imported",
    "chat.portable",
    "models.errors",
    "personas.cards.refused",
    "personas.record",
    "personas.written",
    "storage.errors",
    "storage.index",
    "ui.models",
    "ui.users",
)
NOT_ON_THE_PAGE = {
    "error",
    "file_there",
    "import_no_such_conversation",
    "character_refused",
    "backup_no_room",
    "backup_unusable",
    "cross_encoder_failed",
}
"""The base class, and what only a command, the log or a damaged installation can say."""


def placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


@pytest.mark.parametrize("key", CATALOGUE)
def test_a_sentence_says_the_same_in_both_languages(key: str) -> None:
    entry = CATALOGUE[key]
    assert entry.en.strip() == entry.en != ""
    assert entry.zh.strip() == entry.zh != ""
    forms = entry.en.split("|")
    assert len(forms) in (1, 2)
    assert "|" not in entry.zh
    for form in forms:
        assert placeholders(form) == placeholders(entry.zh)
    assert not CHINESE.search(entry.en)
    assert CHINESE.search(entry.zh) or "：" in entry.zh or entry.en == entry.zh


def test_every_key_the_scripts_name_exists() -> None:
    for name, script in SCRIPTS.items():
        for key in re.findall(r"""K\.(?:t|complain|knows)\??\.?\(\s*["'](\w+)["']""", script):
            assert key in CATALOGUE, (name, key)
        for prefix in re.findall(r"`(\w+_)\$\{", script):
            if "K.t(`" + prefix in script or "K.knows(`" + prefix in script:
                assert prefix in FAMILIES, (name, prefix)


def test_no_sentence_is_unused() -> None:
    everything = "\n".join(SCRIPTS.values())
    quoted = set(re.findall(r"""["'](\w+)["']""", everything)) | set(re.findall(r"\.(language_name)\b", everything))
    for key in CATALOGUE:
        made = any(key.startswith(family) and f"`{family}${{" in everything for family in FAMILIES)
        assert key in quoted or made, key


def test_every_error_a_page_can_meet_has_a_sentence() -> None:
    for module in MODULES_WITH_ERRORS:
        importlib.import_module(module)
    waiting, codes = [KeepsakeError], set()
    while waiting:
        kind = waiting.pop()
        if not kind.__module__.startswith("evaluation") and not issubclass(
            kind, AccountError | AnnotationError
        ):  # a command of its own, pages of their own
            codes.add(kind.code)
        waiting += kind.__subclasses__()
    ours = {code for code in codes if not code.startswith("test")} - NOT_ON_THE_PAGE
    assert {f"error_{code}" for code in ours} <= set(CATALOGUE)
    assert {key.removeprefix("error_") for key in CATALOGUE if key.startswith("error_")} - ours == {"unexpected", "card_broken"}


def test_every_member_of_a_family_has_a_sentence() -> None:
    assert {key for key in CATALOGUE if key.startswith("phase_")} == {f"phase_{phase.value}" for phase in Phase}
    for key in ("status_stopped", "status_cut", "status_failed", "degraded_timeout", "degraded_error", "degraded_reindexing"):
        assert key in CATALOGUE
    assert {key.removeprefix("key_") for key in CATALOGUE if key.startswith("key_")} == set(KEYS)
    assert {key.removeprefix("group_") for key in CATALOGUE if key.startswith("group_")} == {group.value for group in Group}
    assert {key.removeprefix("preset_") for key in CATALOGUE if key.startswith("preset_")} == {*PRESETS, "means"}
    assert {key.removeprefix("derived_") for key in CATALOGUE if key.startswith("derived_")} == {*NAMES, "means"}
    assert {key.removeprefix("leans_") for key in CATALOGUE if key.startswith("leans_")} == {
        k for key in (*DERIVED, MOOD) for k in key.kinds
    }
    for name in (
        "card",
        "player",
        "examples",
        "history",
        "card_note",
        "ending",
        "lore",
        "persona",
        "memories",
        "message",
        "note",
        "reply",
        "free",
    ):
        assert f"section_{name}" in CATALOGUE
    assert {f"export_{form}" for form in FORMS} <= set(CATALOGUE)
    assert {"exact_same", "exact_erased", "exact_other"} <= set(CATALOGUE)
    for reason in ("rank", "budget", "in_context"):
        assert f"reason_{reason}" in CATALOGUE


def test_every_reason_to_refuse_a_file_and_every_stage_has_a_sentence() -> None:
    assert {key for key in CATALOGUE if key.startswith("refused_")} - {"refused_line", "refused_nothing"} == {f"refused_{k}" for k in KINDS}
    assert {f"stage_{stage}" for stage in ("sending", CHECKING, WRITING)} <= set(CATALOGUE)


def test_whatever_is_said_of_another_programs_chat_has_a_sentence_that_names_the_same() -> None:
    assert {f"layout_{form}" for form in LAYOUTS} == {key for key in CATALOGUE if key.startswith("layout_")}
    assert {f"told_{code}" for code in SENTENCES} == {key for key in CATALOGUE if key.startswith("told_")}
    for code, sentence in SENTENCES.items():
        assert placeholders(CATALOGUE[f"told_{code}"].en.split("|")[0]) <= placeholders(sentence.replace(":,}", "}")), code


def test_whatever_an_import_of_a_card_says_has_a_sentence() -> None:
    said = {code.value for kind in (Kept, Coerced, Mended, Dropped) for code in kind} | {"unused"}
    assert {key.removeprefix("remark_") for key in CATALOGUE if key.startswith("remark_")} == said
    forms = {form.value for form in Form}
    assert {key.removeprefix("form_") for key in CATALOGUE if key.startswith("form_")} == forms
    assert {key.removeprefix("container_") for key in CATALOGUE if key.startswith("container_")} == {one.value for one in Container}
    assert {f"way_{form}" for form in WAYS} <= set(CATALOGUE)


def test_whatever_is_said_of_a_model_has_a_sentence() -> None:
    assert {f"role_{role}" for role in ROLES} | {f"reach_{reach}" for reach in get_args(Reach)} <= set(CATALOGUE)
    assert {f"way_kind_{kind}" for kind in MODEL_KINDS} | {f"way_kind_{kind}_means" for kind in MODEL_KINDS} <= set(CATALOGUE)
    assert {f"trial_{fault}" for fault in FAULTS} | {f"trial_json_{json}" for json in get_args(Json) if json} <= set(CATALOGUE)
    assert {f"fetch_{phase}" for phase in get_args(Fetching) if phase != "failed"} <= set(CATALOGUE)
    assert {f"sampled_{name}" for name in SAMPLING_PRESETS} <= set(CATALOGUE)
    assert {f"draws_{name}" for name in Sampling.model_fields} | {f"draws_{name}_means" for name in Sampling.model_fields} <= set(CATALOGUE)


def test_words_are_the_sentences_of_one_language() -> None:
    for language in LANGUAGES:
        assert words(language) == {key: getattr(entry, language) for key, entry in CATALOGUE.items()}
    assert words("zh")["send"] == "发送"


def test_no_sentence_stands_in_a_script() -> None:
    """A word of a reader's language in a script would be seen by readers of the other."""
    for name, script in SCRIPTS.items():
        code = re.sub(r"(?m)^\s*//.*$|\s//\s.*$|/\*.*?\*/", "", script)
        assert not CHINESE.search(code), name
        for text in re.findall(r"""(?:text|placeholder|title|"aria-label"): ["'`]([^"'`]*)["'`]""", code):
            assert not re.search(r"[A-Za-z]{2,}", re.sub(r"\$\{[^}]*\}", "", text)), (name, text)


def test_a_pinned_memory_and_a_chat_kept_on_top_are_not_called_the_same_in_chinese() -> None:
    for key, entry in CATALOGUE.items():
        if "置顶" in entry.zh:
            assert "on top" in entry.en.lower(), key
        if re.search(r"\b[Pp]in(ned|s)?\b", entry.en):
            assert "常驻" in entry.zh, key
