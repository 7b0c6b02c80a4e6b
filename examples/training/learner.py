"""One model on its way: the same seed gives the same weights and the same batches."""

import time

import torch

from model import Transformer


class Learner:
    def __init__(self, name, text, form, seed, device, prepare=lambda model: []):
        torch.manual_seed(seed)
        self.name, self.text, self.form, self.device = name, text, form, device
        self.model = Transformer(form.width, form.layers, form.heads, form.length)
        self.prepared = prepare(self.model)
        self.model.to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=form.rate)
        self.drawn = torch.Generator().manual_seed(seed)
        self.losses, self.seconds = [], []

    def batch(self):
        """Pieces of the text, and the same pieces one byte on."""
        starts = torch.randint(len(self.text) - self.form.length - 1, (self.form.batch, 1), generator=self.drawn)
        pieces = self.text[starts + torch.arange(self.form.length + 1)].long().to(self.device)
        return pieces[:, :-1], pieces[:, 1:]

    def loss(self, given, wanted):
        with torch.autocast(self.device, torch.bfloat16):
            said = self.model(given)
        return torch.nn.functional.cross_entropy(said.float().flatten(0, 1), wanted.flatten())

    def step(self):
        given, wanted = self.batch()
        self.wait()
        begun = time.perf_counter()
        loss = self.loss(given, wanted)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.wait()
        self.seconds.append(time.perf_counter() - begun)
        self.losses.append(loss.item())

    def evaluate(self, batches):
        """The mean loss of as many batches, which are the same for all: no gradient is wanted, so attention is forward
        alone."""
        kept, self.drawn = self.drawn, torch.Generator().manual_seed(self.form.seed - 1)
        with torch.no_grad():
            losses = [self.loss(*self.batch()).item() for _ in range(batches)]
        self.drawn = kept
        return sum(losses) / batches

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def tokens_per_second(self) -> float:
        """By the median step of the second half: the first ones warm up."""
        half = sorted(self.seconds[len(self.seconds) // 2:])
        return self.form.batch * self.form.length / half[len(half) // 2]
