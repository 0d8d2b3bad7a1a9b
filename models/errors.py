"""How a model can fail, in words for the person who waits for it. No message ever holds a key or what was said."""

from __future__ import annotations

from errors import KeepsakeError


class ModelError(KeepsakeError):
    """The base of the errors below."""

    code = "model_failed"


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


class EmbeddingFailed(KeepsakeError):
    """A text could not be turned into a vector."""

    code = "embedding_failed"


class CrossEncoderFailed(KeepsakeError):
    """There is no cross-encoder, or it could not read."""

    code = "cross_encoder_failed"
