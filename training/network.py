"""The reader's network in torch: the last layers of the bundled encoder, made to fit, and heads on its tokens and on the means of segments.

The lower layers stay as they are: what they make of each example is worked out once, by the same graph that serves at run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from memory.reading.inputs import ABOUT, FEATURES, KEY_NAMES, KINDS, MODES, RELATIONS
from memory.reading.network import LowerLayers
from models.e5_file import ZERO, E5File, bundled_file, parts

INNER = 192
"""Units between what is read and the heads."""
TUNED = 4
"""How many of the encoder's layers are made to fit, the last ones."""


def weights_file() -> E5File:
    """The bundled encoder's weights."""
    return E5File.read(bundled_file())


class Layer(nn.Module):
    """One layer of BERT's encoder, with the file's weights."""

    def __init__(self, file: E5File, number: int) -> None:
        super().__init__()
        self.heads, hidden = file.heads, file.hidden
        name = f"l{number}."
        for part, columns in (("q", hidden), ("k", hidden), ("v", hidden), ("ao", hidden), ("fi", hidden), ("fo", file.inner)):
            scales, whole = parts(file.blocks(f"{name}{part}.w", columns))
            weight = ((whole.astype(np.float32) - ZERO) * scales[..., None]).reshape(len(whole), -1)
            linear = nn.Linear(columns, len(weight))
            linear.weight.data = torch.from_numpy(weight.copy())
            linear.bias.data = torch.from_numpy(file.floats(f"{name}{part}.b").copy())
            self.add_module(part, linear)
        for part in ("aln", "oln"):
            norm = nn.LayerNorm(hidden, eps=file.epsilon)
            norm.weight.data = torch.from_numpy(file.floats(f"{name}{part}.w").copy())
            norm.bias.data = torch.from_numpy(file.floats(f"{name}{part}.b").copy())
            self.add_module(part, norm)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x: [n, t, hidden]; mask: bool [n, 1, 1, t]."""
        n, t, hidden = x.shape
        q, k, v = (self.get_submodule(p)(x).view(n, t, self.heads, -1).transpose(1, 2) for p in "qkv")
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(n, t, hidden)
        x = self.get_submodule("aln")(x + self.drop(self.get_submodule("ao")(seen)))
        wide = self.get_submodule("fo")(F.gelu(self.get_submodule("fi")(x)))
        out: Tensor = self.get_submodule("oln")(x + self.drop(wide))
        return out


@dataclass
class Out:
    """Logits: keep [s], mode [s, m], about [s, a], kind [s, k], key [s, g], fact, value, person [n, t]; segments of the batch one after the other."""

    keep: Tensor
    mode: Tensor
    about: Tensor
    kind: Tensor
    key: Tensor
    fact: Tensor
    value: Tensor
    person: Tensor


class ReaderNetwork(nn.Module):
    """Layers made to fit, and one linear head for each thing that is told apart."""

    def __init__(self, file: E5File, *, tuned: int = TUNED) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(file, number) for number in range(file.layers - tuned, file.layers))
        hidden = file.hidden
        self.token_heads = nn.Linear(hidden, 3)
        self.segment_in = nn.Linear(2 * hidden + FEATURES, INNER)
        self.segment_heads = nn.Linear(INNER, 1 + len(MODES) + len(ABOUT) + len(KINDS) + len(KEY_NAMES))
        self.pair_in = nn.Linear(3 * hidden, INNER)
        self.pair_head = nn.Linear(INNER, len(RELATIONS))
        self.drop = nn.Dropout(0.3)

    def states(self, x: Tensor, mask: Tensor) -> Tensor:
        """x: [n, t, hidden], what the lower layers made; mask: bool [n, t]."""
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x

    def forward(self, x: Tensor, mask: Tensor, pool: Sequence[Tensor], whole: Tensor, features: Tensor) -> Out:
        """pool: for each example [s_i, t], the share each token has in a segment's mean; whole: [n, t], in the message's; features [sum s_i, f]."""
        states = self.states(x, mask)
        tokens = self.token_heads(self.drop(states))
        means = torch.cat([p @ states[i] for i, p in enumerate(pool)])
        of_message = torch.einsum("nt,nth->nh", whole, states)
        around = torch.cat([of_message[i].expand(len(p), -1) for i, p in enumerate(pool)])
        inner = F.relu(self.segment_in(self.drop(torch.cat([means, around, features], dim=1))))
        sizes = [1, len(MODES), len(ABOUT), len(KINDS), len(KEY_NAMES)]
        keep, mode, about, kind, key = torch.split(self.segment_heads(self.drop(inner)), sizes, dim=1)
        return Out(keep[:, 0], mode, about, kind, key, *tokens.unbind(dim=-1))

    def relation(self, x: Tensor, mask: Tensor, old: Tensor, new: Tensor) -> Tensor:
        """Logits [n, r] of pairs. old, new: [n, t], the shares of tokens in their means."""
        states = self.states(x, mask)
        a, b = (torch.einsum("nt,nth->nh", share, states) for share in (old, new))
        inner = F.relu(self.pair_in(self.drop(torch.cat([a, b, states[:, 0]], dim=1))))
        out: Tensor = self.pair_head(self.drop(inner))
        return out


def lower_states(texts: Sequence[Sequence[int]], file: E5File, *, tuned: int = TUNED) -> list[NDArray[np.float16]]:
    """What the layers below make of token ids, [t, hidden] each."""
    lower = LowerLayers(file, depth=file.layers - tuned)
    return [lower.run(ids).astype(np.float16) for ids in texts]
