"""A small transformer over bytes, written with PyTorch alone."""

import torch
from torch import nn

BYTES = 256


class Block(nn.Module):
    # attention where a gradient is wanted, and where none is
    learning = evaluating = staticmethod(nn.functional.scaled_dot_product_attention)

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.depth = heads, width // heads
        self.before_attention, self.before_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.mix = nn.Linear(width, width, bias=False)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def attend(self, x):
        batch, length, width = x.shape
        parts = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        attention = self.learning if torch.is_grad_enabled() else self.evaluating
        made = attention(*parts, is_causal=True)
        return self.mix(made.transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        x = x + self.attend(self.before_attention(x))
        return x + self.down(nn.functional.gelu(self.up(self.before_mlp(x)), approximate="tanh"))


class Transformer(nn.Module):
    def __init__(self, width, layers, heads, length):
        super().__init__()
        self.byte, self.place = nn.Embedding(BYTES, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.last = nn.LayerNorm(width)
        self.head = nn.Linear(width, BYTES, bias=False)
        for weight in self.parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, std=0.02)

    def forward(self, text):
        x = self.byte(text) + self.place(torch.arange(text.shape[1], device=text.device))
        return self.head(self.last(self.blocks(x)))
