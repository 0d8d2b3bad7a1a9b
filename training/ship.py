"""What is shipped of a network: its layers in eight bits, its heads in half precision, and how its probabilities are set right."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.e5_graph import in_bytes
from models.tuned_encoder import LINEARS, NORMS
from training.network import LowRank, ReaderNetwork

HEADS = ("token_heads", "segment_in", "segment_heads", "value_in", "value_head", "pair_in", "pair_head")
_EPOCH = (1980, 1, 1, 0, 0, 0)


def tensors(net: ReaderNetwork, *, scale: Sequence[float], shift: float) -> dict[str, NDArray[np.generic]]:
    """scale [3], shift: of what says that a segment is worth keeping (`memory.reading.network.evidence`)."""
    out: dict[str, NDArray[np.generic]] = {}
    for number, layer in enumerate(net.layers):
        for name in LINEARS:
            if isinstance(layer.get_submodule(name), LowRank):
                out |= {f"l{number}.{name}.{part}": _numbers(layer, f"{name}.{part}").astype(np.float16) for part in ("down", "up")}
                continue
            packed, steps = in_bytes(_numbers(layer, f"{name}.weight"))
            out |= {f"l{number}.{name}.w": packed, f"l{number}.{name}.s": steps, f"l{number}.{name}.b": _numbers(layer, f"{name}.bias")}
        for name in NORMS if layer.get_parameter("aln.weight").requires_grad else ():
            out |= {f"l{number}.{name}.w": _numbers(layer, f"{name}.weight"), f"l{number}.{name}.b": _numbers(layer, f"{name}.bias")}
    for name in HEADS:
        out |= {f"{name}.weight": _numbers(net, f"{name}.weight").astype(np.float16), f"{name}.bias": _numbers(net, f"{name}.bias")}
    return out | {"keep.scale": np.array(scale, np.float32), "keep.shift": np.array(shift, np.float32)}


def _numbers(module: nn.Module, name: str) -> NDArray[np.float32]:
    return np.asarray(module.get_parameter(name).detach().numpy(), np.float32)


def ship(net: ReaderNetwork, path: Path, *, scale: Sequence[float], shift: float) -> None:
    """Write what was fitted."""
    write(tensors(net, scale=scale, shift=shift), path)


def write(named: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Write tensors; the same give the same bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, values in sorted(named.items()):
            held = io.BytesIO()
            np.save(held, values)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", _EPOCH), held.getvalue(), zipfile.ZIP_DEFLATED)
