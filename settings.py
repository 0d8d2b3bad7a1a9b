"""Every setting with its default, read once at start and passed down.

Sources, strongest first: keyword arguments (the command line's among them), environment variables `KEEPSAKE_*`, a `.env` file, a `keepsake.toml` file, the
defaults below. Nothing else in the program reads the environment.
"""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

VERSION = "0.1.0"
"""Of the program, as pyproject.toml has it."""
EMBEDDED = "embedded"
"""Value of `chat_model` that means the bundled SmolLM2-135M-Instruct in a child process."""


PREFIX = "KEEPSAKE_"
OTHERS = frozenset({"KEEPSAKE_LISTEN_TOKEN", "KEEPSAKE_BERTSCORE", "KEEPSAKE_BERTSCORE_LAYER", "KEEPSAKE_CHROMIUM", "KEEPSAKE_SHOTS"})
"""Variables of ours that are no settings: of single commands and of the tests."""
LIKENESS = 0.85
"""How like one of ours a name without the prefix is, for it to be taken for a slip of the pen; `OPENAI_API_KEY` is like none at .6."""


def _folded(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


class _OwnLines(DotEnvSettingsSource):
    """The lines of a `.env` file that are settings of ours: it belongs to whatever else is started in the folder as well."""

    def __call__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__call__().items() if name in self.settings_cls.model_fields}


class Settings(BaseSettings):
    """Validated, immutable settings; a bad value raises `pydantic.ValidationError` naming the variable."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        env_file=".env",
        env_file_encoding="utf-8-sig",
        toml_file="keepsake.toml",
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    data_dir: Path = Field(default_factory=lambda: Path.home() / ".local" / "share" / "keepsake")
    """Folder that holds the database and the index. One process owns it at a time."""
    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=1, le=65535)
    hostnames: str = ""
    """Further names the page may be reached by (a name in your network, a proxy's), separated by commas; addresses in numbers always may."""

    accounts: bool = False
    """Whether people log in, each with conversations of their own; off: whoever reaches the page is the one user."""
    open_to_all: bool = False
    """Whether a page that other computers can reach may be served without accounts."""
    proxies: str = "127.0.0.1"
    """Addresses of proxies, separated by commas, whose word is taken for where a request comes from, by which name and whether it came by https."""
    login_idle_hours: float = Field(default=72, gt=0, le=8760)
    """Hours unused after which a login ends."""
    login_days: float = Field(default=30, gt=0, le=400)
    """Days after which a login ends however much it is used."""

    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_folded)] = "info"
    """From which weight on something is written to the log, which is the standard error stream."""

    metrics: bool = False
    """Whether figures of the program (how many, how long; of nobody) are shown at `/metrics`."""

    player_name: str = Field(default="", max_length=60)
    """How characters call you; empty: "You", or 你 with a Chinese character."""

    chat_model: str = EMBEDDED
    """`embedded`, or any LiteLLM model string such as `openai/my-model` or `ollama_chat/qwen3`."""
    chat_api_base: str | None = None
    chat_api_key: SecretStr | None = None
    chat_timeout_s: float = Field(default=120.0, gt=0)
    """Longest wait for the next piece of a reply, seconds."""
    chat_retries: int = Field(default=1, ge=0, le=5)
    """Further attempts after a connection error, a rate limit or a server error, before the first piece has come."""
    chat_context_tokens: int = Field(default=2400, ge=512)
    """Tokens of prompt and reply together; the small bundled model answers sooner with a short prompt."""
    chat_reply_tokens: int = Field(default=160, ge=16)
    chat_temperature: float | None = Field(default=None, ge=0, le=2)
    """None: 0.7, and 0.3 for the bundled model, which drifts off the point when it is warmer."""
    citations: Literal["auto", "on", "off"] = "auto"
    """Whether the chat model is asked to say which memories a reply used; `auto`: every model but the small bundled one, which would only prattle."""

    memory_model: str = ""
    """Any LiteLLM model string: it then reads every six rounds for facts, persona, insights and story. Empty: memory is made without a language model."""
    memory_api_base: str | None = None
    memory_api_key: SecretStr | None = None
    memory_timeout_s: float = Field(default=180.0, gt=0, le=240)
    """Longest wait for the next piece of an answer, seconds; less than the five minutes after which a task without a step counts as hanging."""
    memory_retries: int = Field(default=1, ge=0, le=5)
    memory_context_tokens: int = Field(default=8192, ge=2048)
    """Tokens of prompt and answer together; what of six rounds does not fit is shortened."""
    memory_answer_tokens: int = Field(default=2048, ge=256)

    judge_model: str = ""
    """Any LiteLLM model string: evaluations and probe runs then have it rate what no rule can measure. Empty: that is left out."""
    judge_api_base: str | None = None
    judge_api_key: SecretStr | None = None
    judge_timeout_s: float = Field(default=180.0, gt=0)
    """Longest wait for the next piece of an answer, seconds."""
    judge_retries: int = Field(default=2, ge=0, le=5)
    judge_context_tokens: int = Field(default=8192, ge=2048)
    """Tokens of prompt and answer together."""

    embedder: str = "bundled"
    """`bundled`; `BAAI/bge-m3` or `bge-m3:FOLDER`; else a SentenceTransformers model, as hub name or folder. Another one reads every memory anew."""

    cross_encoder: str = ""
    """A BGE reranker or another cross-encoder, as hub name or folder, that reads what was recalled once more. Empty: none."""
    cross_encoder_budget_s: float = Field(default=0.8, gt=0)
    """Longest a reply waits for it, seconds, of the time that recall may take."""

    recall_budget_s: float = Field(default=1.5, gt=0)
    """Time recall may take before the reply goes on with recent rounds and pinned memories alone, seconds."""
    recall_k: int = Field(default=9, ge=1, le=20)
    """k of MOOM App. D: ranks 1..k are reinforced, k+1..2k inhibited."""
    memory_tokens: int = Field(default=600, ge=0)
    """Token budget of the memory block in the prompt."""
    memory_capacity: int = Field(default=300, ge=1)
    """Facts and insights a conversation keeps; the weakest beyond it are forgotten: out of recall, not erased."""
    memory_capacity_tokens: int = Field(default=0, ge=0)
    """Tokens that these may come to, counted generously; 0: as many as they come to."""
    session_idle_minutes: int = Field(default=30, ge=1)

    backup_hours: float = Field(default=24, ge=0)
    """Hours between two backups of the database; 0: none are made."""
    backup_keep: int = Field(default=7, ge=1)
    """Newest backups that are kept."""

    evaluation_memory_mb: int = Field(default=4096, ge=256)
    """Memory that a run of the evaluation, started on the page, may take; one that takes more is ended."""
    evaluation_parallel: int = Field(default=4, ge=1, le=32)
    """Questions that an evaluation asks a language model at once."""
    evaluation_minutes: int = Field(default=240, ge=1)
    """Minutes of work after which such a run is ended."""

    demo: bool = False
    """Whether the sample stories are added at the start where there is no conversation yet; `make demo`."""
    worker: bool = True
    """Whether memory work runs in this process; off leaves tasks queued."""
    memory_workers: int = Field(default=2, ge=1, le=8)
    """Conversations whose memory work is done at once; each one's own is done in order."""
    hub: bool = False
    """Whether model hubs may be reached (needed only for models that are not bundled)."""
    hub_url: str = Field(default="https://huggingface.co", pattern=r"^https?://[^\s?#@]+$")
    """The hub that files of language models are fetched from, or a mirror of it."""
    key_secret: SecretStr | None = Field(default=None, min_length=32)
    """What keys to models, entered on the page, are sealed with; None: a secret that is made in the data folder."""

    def says(self, *names: str) -> bool:
        """Whether one of these was set, and is not just as it comes."""
        return not self.model_fields_set.isdisjoint(names)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        own = _OwnLines(settings_cls, env_file=getattr(dotenv_settings, "env_file", None))
        return init_settings, env_settings, own, TomlConfigSettingsSource(settings_cls)


def read_settings(**given: object) -> Settings:
    """The settings of a command, given ones first. Writes what looks misspelt to standard error; ends the program with status 2 where a value is not valid."""
    try:
        settings = Settings(**given)  # type: ignore[arg-type]
        unknown = misspelt()
    except ValidationError as error:
        print("\n".join(["A setting is not valid; nothing was started.", *map(_reason, error.errors())]), file=sys.stderr)
    except UnicodeDecodeError:
        print("A file of settings (.env, keepsake.toml) is not in UTF-8; nothing was started.", file=sys.stderr)
    except (OSError, ValueError) as error:  # no rights, or no TOML; the reason tells the place and nothing of what stands there
        print(f"A file of settings (.env, keepsake.toml) cannot be read; nothing was started.\n{error}", file=sys.stderr)
    else:
        for sentence in unknown:
            print(sentence, file=sys.stderr)
        return settings
    raise SystemExit(2)


def _reason(error: ErrorDetails) -> str:
    """What is wrong with a setting, by the name of its variable and without its value."""
    name = "_".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f"{name} in keepsake.toml: there is no such setting; docs/settings.md names them all."
    return f"{PREFIX}{name.upper()}: {error['msg']}"


def misspelt() -> list[str]:
    """Sentences about variables and lines of `.env` that no setting has the name of, though somebody may have meant one."""
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    file = _OwnLines(Settings)
    sentences = []
    for where, names in (("the environment", [*os.environ]), (".env", [*file.env_vars])):
        for name in sorted({name.upper() for name in names} - known - OTHERS):
            near = get_close_matches(name, known, n=1, cutoff=LIKENESS)
            if name.startswith(PREFIX) or near:
                meant = f"; did you mean {near[0]}?" if near else ". docs/settings.md names them all."
                sentences.append(f"{name} in {where} is no setting of Keepsake and says nothing to it{meant}")
    return sentences


def is_this_computer(host: str) -> bool:
    """Whether an address to serve on is one that no other computer reaches."""
    if host.casefold() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def quiet_libraries(settings: Settings) -> None:
    """Set what the libraries read from the environment at import: no telemetry, no downloads. Call before importing any of them."""
    os.environ.update(
        GRADIO_ANALYTICS_ENABLED="False",
        GRADIO_ANALYTICS_CACHE_FREQUENCY="200",
        GRADIO_ANALYTICS_MAX_EVENTS="500",
        LITELLM_LOCAL_MODEL_COST_MAP="True",
        LITELLM_MODE="PRODUCTION",
        HF_HUB_DISABLE_TELEMETRY="1",
        DO_NOT_TRACK="1",
        ANONYMIZED_TELEMETRY="False",
        ORT_DISABLE_TELEMETRY="1",
        TOKENIZERS_PARALLELISM="false",
        # OpenMP threads of the larger embedders would spin while they wait for each other: beside one busy process a passage took 880 ms, sleeping 99.
        OMP_WAIT_POLICY="PASSIVE",
        FORWARDED_ALLOW_IPS="",  # the web server believes nobody: `ui.headers.Proxies` does, who is named
    )
    # A wait of some microseconds is shorter than a sleep.
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    if not settings.hub:
        os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
    hosts = {h for h in os.environ.get("NO_PROXY", "").split(",") if h} | {"127.0.0.1", "localhost"}
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = ",".join(sorted(hosts))
