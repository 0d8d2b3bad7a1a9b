"""Every sentence a reader can see, in English and Chinese.

A `{name}` is filled in by the page. A `|` divides the English form for one from the form for any other number `{n}`; Chinese has one form.
Families whose keys are put together by the page: `error_` (codes of `errors.KeepsakeError`), `phase_`, `status_`, `section_`, `reason_`, `part_`,
`again_`, `degraded_`, `cross_` and `reread_` (of `memory.cross_reading`), `kind_`, `group_` and `key_` (of `memory.persona_keys`), `operation_`, `binned_` (kinds of
`chat.views.BinItemView`), `task_` (states), `work_` (kinds of tasks), `use_` (purposes of model calls), `asked_` (`chat.views.AskedPhase`), `missing_` (of
`chat.views.AnswerView`), `unanswered_` (codes of `models.errors`), `stage_` (of an import), `refused_` (`chat.imported.KINDS`), `field_` and
`fieldhint_` (of `personas.written.Written`; what else a card has), `exact_` (of `chat.views.ReceiptView`), `note_role_`, `export_` (of
`chat.portable.FORMS`), `layout_` (`chat.imported.FORMS`), `told_` (`chat.import_words`), `place_` and `side_` (of an imported file), `role_` and
`logic_` (of a lorebook's entries), and
of cards that come in and go out `card_`, `remark_`, `form_`, `container_` (`personas.cards.report`) and `way_` (`chat.cards.FORMS`).
Of memory that goes along `carried_` (states of `chat.carried`), `carried_kind_`, `carrying_`, `memory_file_` (kinds of `chat.errors.MemoryFileRefused`) and
`memory_form_` (`chat.carrying.FORMS`).
Of the page about models: `models_tab_`, `role_`, `reach_` and `way_kind_` (of `models.connection`), `haskey_`, `trial_` (`models.errors.FAULTS`), `fetch_`
(`models.downloads.Phase`), `sampled_` and `draws_` (of `models.sampling`). Of an archive: `unwritten_` (`chat.everything.KINDS`). `adult_`: of
`personas.adult`.
"""

from __future__ import annotations

from ui.catalogue_accounts import ACCOUNTS
from ui.catalogue_asking import ASKING
from ui.catalogue_cards import CARDS
from ui.catalogue_carrying import CARRYING
from ui.catalogue_characters import CHARACTERS
from ui.catalogue_company import COMPANY
from ui.catalogue_controls import CONTROLS
from ui.catalogue_errors import ERRORS
from ui.catalogue_fading import FADING
from ui.catalogue_health import HEALTH
from ui.catalogue_importing import IMPORTING
from ui.catalogue_learning import LEARNING
from ui.catalogue_listening import LISTENING
from ui.catalogue_lorebooks import LOREBOOKS
from ui.catalogue_marking import MARKING
from ui.catalogue_memory import MEMORY
from ui.catalogue_models import MODELS
from ui.catalogue_note import NOTE
from ui.catalogue_notices import NOTICES
from ui.catalogue_passing import PASSING
from ui.catalogue_persona import PERSONA
from ui.catalogue_players import PLAYERS
from ui.catalogue_portable import PORTABLE
from ui.catalogue_receipt import RECEIPT
from ui.catalogue_remembering import REMEMBERING
from ui.catalogue_rewriting import REWRITING
from ui.catalogue_samples import SAMPLES
from ui.catalogue_sampling import SAMPLING
from ui.catalogue_searching import SEARCHING
from ui.catalogue_speaking import SPEAKING
from ui.catalogue_talk import TALK
from ui.entry import Entry

CATALOGUE: dict[str, Entry] = {
    **TALK,
    **MEMORY,
    **FADING,
    **HEALTH,
    **RECEIPT,
    **ERRORS,
    **PERSONA,
    **REWRITING,
    **MARKING,
    **NOTE,
    **REMEMBERING,
    **CARRYING,
    **CONTROLS,
    **LEARNING,
    **MODELS,
    **SAMPLING,
    **ASKING,
    **SEARCHING,
    **SPEAKING,
    **SAMPLES,
    **NOTICES,
    **PASSING,
    **CHARACTERS,
    **PLAYERS,
    **COMPANY,
    **LISTENING,
    **PORTABLE,
    **IMPORTING,
    **CARDS,
    **LOREBOOKS,
    **ACCOUNTS,
}


def words(language: str) -> dict[str, str]:
    """Every sentence of one of `language.LANGUAGES`, by key."""
    return {key: getattr(entry, language) for key, entry in CATALOGUE.items()}
