"""Text to numbers: this program, the straightforward one, and the floor, side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from benchmarks.floor import Floor
from benchmarks.inputs import Inputs
from benchmarks.straightforward import check_equal, straightforward
from benchmarks.timing import Spread, in_turn, ratio
from models.artifact import Model
from models.decode import Decoded, Question, Workspace
from models.heads import LinearHeads, SharedHeads
from models.reading import ReadSentence, read
from models.states import hidden_states
from models.team import Team
from models.trace import Trace, Tracer
from models.training.forms import as_form

SEMANTIC = "next"
GROWN = 20  # timesteps of the text to which one word is added: the row of 1 timestep


@dataclass(frozen=True)
class Measured:
    """ratio_to_floor, speedup: medians of the ratios round by round."""

    form: str
    steps: int
    program: Spread
    floor: Spread
    straightforward: Spread
    ratio_to_floor: float
    speedup: float

    def record(self) -> dict[str, float]:
        return {
            "ms": round(self.program.ms, 2),
            "floor_ms": round(self.floor.ms, 2),
            "straightforward_ms": round(self.straightforward.ms, 2),
            "ratio_to_floor": round(self.ratio_to_floor, 3),
            "speedup": round(self.speedup, 2),
        }


def as_linear(model: Model) -> Model:
    """The same distributions by heads of the linear form, in half precision as they are stored."""
    shared = model.heads[SEMANTIC]
    if isinstance(shared, LinearHeads):
        return model
    linear = as_form(shared, "linear", model.network)
    assert isinstance(linear, LinearHeads)
    return replace(model, heads={SEMANTIC: replace(linear, weight=linear.weight.half())})


class Bench:
    """One model, ready to be measured at any number of timesteps. threads: of every program."""

    def __init__(self, model: Model, inputs: Inputs, threads: int) -> None:
        self.model, self.inputs, self.threads = model, inputs, threads
        team = Team(threads)
        self._tracer = Tracer(model, Workspace(team))
        self._floor = Floor(model, SEMANTIC, team)
        heads = model.heads[SEMANTIC]
        self.form = "shared" if isinstance(heads, SharedHeads) else "linear"
        # The straightforward program has all its weights in single precision, ready in memory.
        if isinstance(heads, LinearHeads):
            heads = replace(heads, weight=heads.weight.float())
        self._single = replace(model, heads={SEMANTIC: heads})

    def measure(self, steps: int, rounds: int) -> Measured:
        """One timestep is a word more at the end of a text that was read before."""
        first = GROWN - 1 if steps == 1 else 0
        length = GROWN if steps == 1 else steps
        texts = iter([self.inputs.grown(length) for _ in range(rounds + 2)])
        text, shorter = next(texts)

        def program() -> Callable[[], object]:
            nonlocal text, shorter
            text, shorter = next(texts)  # a new one each round, the same for all three
            if first:
                self._trace(shorter, 0)
            torch.set_num_threads(1)
            return lambda: self._trace(text, first)

        def reference() -> Callable[[], object]:
            question = self._question(self._trace(text, first))
            torch.set_num_threads(self.threads)
            return lambda: self._straightforward(text, first, question)

        def floor(way: str) -> Callable[[], Callable[[], object]]:
            def ready() -> Callable[[], object]:
                states = self._states(text)[:, first:]
                torch.set_num_threads(self.threads if "torch" in way else 1)
                return self._floor.ways(states)[way]

            return ready

        ways = ("floor by our threads", "floor by torch")
        things = {"program": program, "straightforward": reference}
        times = in_turn(things | {way: floor(way) for way in ways}, rounds)
        best = min((times[way] for way in ways), key=lambda t: Spread.of(t).ms)
        self._check(text, first)
        return Measured(
            self.form,
            steps,
            Spread.of(times["program"]),
            Spread.of(best),
            Spread.of(times["straightforward"]),
            ratio(times["program"], best),
            ratio(times["straightforward"], times["program"]),
        )

    def _trace(self, text: str, first: int) -> Trace:
        return self._tracer.trace(text, start=first, token_limit=10_000)

    def _straightforward(self, text: str, first: int, question: Question) -> Decoded:
        states = self._states(text)[:, first:]
        return straightforward(self._single, SEMANTIC, states, question)

    def _question(self, traced: Trace) -> Question:
        classes = np.asarray(self.model.vocabulary.classes)
        return Question(
            classes=classes,
            class_count=len(traced.classes),
            labels=traced.label_ids,
            next_ids=traced.next_ids,
            bars=traced.bars,
            top_words=traced.top_words,
        )

    def _states(self, text: str) -> torch.Tensor:
        network, sentences = self.model.network, self._sentences(text)
        return torch.cat([hidden_states(network, torch.tensor(s.ids)) for s in sentences], 1)

    def _sentences(self, text: str) -> list[ReadSentence]:
        return read(self.model.vocabulary, text)

    def _check(self, text: str, first: int) -> None:
        traced = self._trace(text, first)
        question = self._question(traced)
        # Of the program's own states: those of long sentences differ in the fifth decimal by the
        # order of their sums, torch's from the exact ones as much as the program's.
        states = torch.cat([self._tracer.states(s.ids) for s in self._sentences(text)], 1)
        torch.testing.assert_close(states, self._states(text), atol=1e-3, rtol=0)
        reference = straightforward(
            self._single, SEMANTIC, states[:, first:], question, torch.float64
        )
        check_equal(traced, reference, traced.top_words, self.form)
