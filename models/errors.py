"""How a model can fail, in words for the person who waits for it. No message ever holds a key or what was said."""

from __future__ import annotations

from errors import KeepsakeError


class ModelError(KeepsakeError):
    """The base of the errors below. reason, where it is known more exactly than by the kind: one of FAULTS."""

    code = "model_failed"
    reason = ""


FAULTS = (
    *(
        "address",
        "certificate",
        "key",
        "model",
        "not_chat",
        "timeout",
        "busy",
        "window",
        "filter",
        "redirect",
        "file",
        "broke",
        "thought",
        "failed",
        "refused",
        "empty",
        "tools",
        "cut",
        "long",
        "peer",
    ),
)
"""What can be wrong with a model that was tried."""


class ModelUnavailable(ModelError):
    """Nobody answers at the model's address."""

    code = "model_unavailable"


class ModelTimeout(ModelError):
    """The model went silent for longer than the time limit."""

    code = "model_timeout"


class ModelRefused(ModelError):
    """The endpoint refused the request: key, model name, or content."""

    code = "model_refused"


class ModelBusy(ModelError):
    """Rate limit or overload."""

    code = "model_busy"


class ModelFailed(ModelError):
    """It broke off, or anything else."""

    code = "model_failed"


class ModelOnlyThought(ModelFailed):
    """Its reply was over before it had done thinking."""

    code = "model_only_thought"


class ModelWordless(ModelFailed):
    """Its reply was over without a word."""

    code = "model_wordless"


class PeerRefused(ModelRefused):
    """Its address is one that is never asked."""

    code = "peer_refused"
    reason = "peer"


class EmbeddingFailed(KeepsakeError):
    """A text could not be turned into a vector."""

    code = "embedding_failed"


class CrossEncoderFailed(KeepsakeError):
    """There is no cross-encoder, or it could not read."""

    code = "cross_encoder_failed"


class ConnectionUnfit(KeepsakeError):
    """The base of what a connection cannot be; nothing was changed."""

    code = "connection_unfit"


class AddressUnfit(ConnectionUnfit):
    code = "address_unfit"


class ModelNameUnfit(ConnectionUnfit):
    code = "model_name_unfit"


class KeyNameUnfit(ConnectionUnfit):
    code = "key_name_unfit"


class WindowTooSmall(ConnectionUnfit):
    """A window in which memory cannot be read; params: least."""

    code = "window_too_small"


class FileUnfit(ModelUnavailable):
    """A model's file is not there, or no model that can chat; params: name."""

    code = "file_unfit"
    reason = "file"


class KeyUnreadable(ModelRefused):
    """A sealed key cannot be opened."""

    code = "key_unreadable"
    reason = "key"


class KeyMissing(ModelRefused):
    """The environment variable that is to hold a key is not set; params: name."""

    code = "key_missing"
    reason = "key"


class FetchError(KeepsakeError):
    """The base of what keeps a model from being fetched."""

    code = "fetch_failed"


class HubOff(FetchError):
    code = "hub_off"


class HubUnreachable(FetchError):
    code = "hub_unreachable"


class HubRefused(FetchError):
    """params: status."""

    code = "hub_refused"


class FileDamaged(FetchError):
    code = "file_damaged"


class FetchRunning(FetchError):
    code = "fetch_running"


class NoRoomForFile(FetchError):
    """params: needed, free, in gigabytes."""

    code = "no_room_for_file"


class NoSuchModel(KeepsakeError):
    """There is no such connection, preset or model to fetch any more."""

    code = "no_such_model"
