"""The reader's network in torch: the bundled encoder, made to fit, and heads on its tokens, on the means of segments and on stretches that may be values.

The last layers are trained whole; to the weights of those below a product of two small matrices is added (LoRA, Hu et al. 2022), so that what ships stays small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memory.reading.inputs import ABOUT, FEATURES, KEY_NAMES, KINDS, MODES, RELATIONS
from models.e5_file import E5File, bundled_file, whole
from models.tuned_encoder import LINEARS, NORMS

INNER = 192
"""Units between what is read and the heads."""
TUNED, RANK = 4, 16
"""How many of the encoder's layers are trained whole, the last ones; and the rank of what is added to the weights of the others."""


def weights_file() -> E5File:
    """The bundled encoder's weights."""
    return E5File.read(bundled_file())


class LowRank(nn.Module):
    """A linear layer that stays as it is, plus up @ down; nothing at first."""

    def __init__(self, frozen: nn.Linear, rank: int) -> None:
        super().__init__()
        self.frozen = frozen.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, frozen.in_features) / frozen.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(frozen.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.frozen(x) + F.linear(F.linear(x, self.down), self.up)
        return out


class Layer(nn.Module):
    """One layer of BERT's encoder, with the file's weights. rank: of what is learned of it; else it is learned whole."""

    def __init__(self, file: E5File, number: int, *, rank: int | None = None) -> None:
        super().__init__()
        self.heads = file.heads
        name = f"l{number}."
        for part in LINEARS:
            weight = whole(file, f"{name}{part}.w", file.inner if part == "fo" else file.hidden)
            linear = nn.Linear(weight.shape[1], len(weight))
            linear.weight.data = torch.from_numpy(weight.copy())
            linear.bias.data = torch.from_numpy(file.floats(f"{name}{part}.b").copy())
            self.add_module(part, linear if rank is None else LowRank(linear, rank))
        for part in NORMS:
            self.add_module(part, _norm(file, name + part).requires_grad_(rank is None))
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


def _norm(file: E5File, name: str) -> nn.LayerNorm:
    norm = nn.LayerNorm(file.hidden, eps=file.epsilon)
    norm.weight.data = torch.from_numpy(file.floats(name + ".w").copy())
    norm.bias.data = torch.from_numpy(file.floats(name + ".b").copy())
    return norm


@dataclass
class Out:
    """Logits: keep [s], mode [s, m], about [s, a], kind [s, k], fact, value [n, t]; segments of the batch one after the other. states [n, t, hidden];
    means [s, hidden], of segments."""

    keep: Tensor
    mode: Tensor
    about: Tensor
    kind: Tensor
    fact: Tensor
    value: Tensor
    states: Tensor
    means: Tensor


class ReaderNetwork(nn.Module):
    """The encoder made to fit, and one linear head for each thing that is told apart."""

    def __init__(self, file: E5File, *, tuned: int = TUNED) -> None:
        super().__init__()
        below = file.layers - tuned
        self.entered = _norm(file, "emb.ln").requires_grad_(False)
        self.layers = nn.ModuleList(Layer(file, number, rank=RANK if number < below else None) for number in range(file.layers))
        hidden = file.hidden
        self.token_heads = nn.Linear(hidden, 2)
        self.segment_in = nn.Linear(2 * hidden + FEATURES, INNER)
        self.segment_heads = nn.Linear(INNER, 1 + len(MODES) + len(ABOUT) + len(KINDS))
        self.value_in = nn.Linear(2 * hidden, INNER)
        self.value_head = nn.Linear(INNER, len(KEY_NAMES))
        self.pair_in = nn.Linear(3 * hidden, INNER)
        self.pair_head = nn.Linear(INNER, len(RELATIONS))
        self.drop = nn.Dropout(0.3)

    def states(self, x: Tensor, mask: Tensor) -> Tensor:
        """x: [n, t, hidden], embeddings with their places; mask: bool [n, t]."""
        x = self.entered(x)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x

    def centre(self, x: Tensor, mask: Tensor) -> None:
        """Let the last normalisation give states whose dimensions have mean 0 and deviation 1 over some texts: those of an embedder point nearly all one way,
        and what tells them apart is small beside it, so that heads learn slowly."""
        with torch.no_grad():
            said = self.states(x, mask)[mask]
            mean, deviation = said.mean(0), said.std(0)
            last = self.layers[-1].get_submodule("oln")
            last.get_parameter("bias").copy_((last.get_parameter("bias") - mean) / deviation)
            last.get_parameter("weight").div_(deviation)

    def forward(self, x: Tensor, mask: Tensor, pool: Sequence[Tensor], whole: Tensor, features: Tensor) -> Out:
        """pool: for each example [s_i, t], the share each token has in a segment's mean; whole: [n, t], in the message's; features [sum s_i, f]."""
        states = self.states(x, mask)
        tokens = self.token_heads(self.drop(states))
        means = torch.cat([p @ states[i] for i, p in enumerate(pool)])
        of_message = torch.einsum("nt,nth->nh", whole, states)
        around = torch.cat([of_message[i].expand(len(p), -1) for i, p in enumerate(pool)])
        inner = F.relu(self.segment_in(self.drop(torch.cat([means, around, features], dim=1))))
        sizes = [1, len(MODES), len(ABOUT), len(KINDS)]
        keep, mode, about, kind = torch.split(self.segment_heads(self.drop(inner)), sizes, dim=1)
        fact, value = tokens.unbind(dim=-1)
        return Out(keep[:, 0], mode, about, kind, fact, value, states, means)

    def keys(self, stretches: Tensor, segments: Tensor) -> Tensor:
        """Logits [v, g] of stretches that may be values. stretches, segments: [v, hidden], the mean of each and of the segment it stands in."""
        inner = F.relu(self.value_in(self.drop(torch.cat([stretches, segments], dim=1))))
        out: Tensor = self.value_head(self.drop(inner))
        return out

    def relation(self, x: Tensor, mask: Tensor, old: Tensor, new: Tensor) -> Tensor:
        """Logits [n, r] of pairs. old, new: [n, t], the shares of tokens in their means."""
        states = self.states(x, mask)
        a, b = (torch.einsum("nt,nth->nh", share, states) for share in (old, new))
        inner = F.relu(self.pair_in(self.drop(torch.cat([a, b, states[:, 0]], dim=1))))
        out: Tensor = self.pair_head(self.drop(inner))
        return out
