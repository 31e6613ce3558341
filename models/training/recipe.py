"""A recipe: every setting that decides what a trained model is, with its default.

`recipe_files` reads them from TOML.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from models.tasks import LANGUAGE
from models.training.rates import one_cycle


@dataclass(frozen=True)
class CorpusRecipe:
    """format: how the text is read; split: which part of it trains, both ids of
    `models.training.corpus`. minimum_count: a word seen fewer times is ``<unk>``, counted in the
    training part (``train``) or, as some published figures have it, in the whole corpus (``all``).
    """

    format: str = "brown"
    split: str = "documents"
    minimum_count: int = 4
    counted: str = "train"


@dataclass(frozen=True)
class NetworkRecipe:
    """How a network is fitted.

    cell: an id of `models.kinds.CELL_NAMES`. projection: of the output states of a cell that has
    one, else 0. embedding: its units; 0 for as many as the output states have, which is what ties
    the decoder of a language model to it. bidirectional: each layer reads in both directions, for a
    tagger or a classifier.

    schedule: ``one-cycle`` (Smith 2018) or ``constant`` after the warm-up. The dropouts hold one
    mask for a whole sentence (Gal and Ghahramani 2016); ``dropped_words`` takes whole words of the
    vocabulary away from the input, ``dropped_weights`` single recurrent weights (DropConnect:
    Merity et al. 2018), both for the length of a batch. averaging: decay per step of the moving
    average of the weights, which is then what is validated and kept; 0 for none. It is of the
    weights since the first step, and of those that a restart goes on from; the random ones that a
    network begins with are left out.

    state: ``zero`` at the start of every sentence, or ``carried`` through the text, which is then
    read in ``batch_sentences`` places at once, ``stretch`` timesteps at a time.

    The last ``exact_epochs`` compute the softmax's normaliser, those before estimate it
    (`sampled.sampled_cross_entropy`); validation and every reported figure are exact.

    bfloat16: whether a training step computes torch's own recurrence (LSTM, GRU, Elman) in
    bfloat16, states and gradients of weights included, and rounds the factors of a processor's
    other products to it. Faster on a processor with matrix instructions for it, slower on one
    without. Weights, their moments and every reported figure stay in single precision.
    """

    cell: str = "lstm"
    units: int = 300
    layers: int = 2
    projection: int = 0
    embedding: int = 0
    bidirectional: bool = False
    epochs: int = 40
    exact_epochs: int = 40
    sampled_head: int = 2048
    sampled_tail: int = 1024
    batch_sentences: int = 64
    rate: float = 4e-3
    schedule: str = "one-cycle"
    warm_up: float = 0.1
    beta1: float = 0.9
    beta2: float = 0.99
    weight_decay: float = 0.01
    dropout_input: float = 0.3
    dropout_between: float = 0.3
    dropout_output: float = 0.3
    dropped_words: float = 0.0
    dropped_weights: float = 0.0
    averaging: float = 0.0
    forget_bias: float = 1.0
    clip: float = 1.0
    state: str = "zero"
    stretch: int = 70
    bfloat16: bool = False
    seed: int = 1

    @property
    def outputs(self) -> int:
        """Units of an output state."""
        return self.projection or self.units

    def rate_at(self, step: int, steps: int) -> float:
        if self.schedule == "constant":
            return self.rate * min(1.0, (step + 1) / max(1.0, self.warm_up * steps))
        return one_cycle(self.rate, self.warm_up, step, steps)


# The fields that decide which weights a network has, and those it is drawn by.
SHAPE = ("cell", "units", "layers", "projection", "embedding", "bidirectional", "forget_bias")


@dataclass(frozen=True)
class HeadsRecipe:
    """How heads are fitted. tokens: timesteps drawn from the training sentences (0: all of them),
    read ``epochs`` times, once before that for the closed-form start.

    loss: ``labels`` (cross-entropy with the word that the semantic asks for), or ``network``: the
    divergence of Kullback and Leibler from the network's own output, as tuned lenses are fitted
    (Belrose et al. 2023), for what it says itself, *next* or *label*. start: ``ridge``, or
    ``zero``.

    The last ``exact_part`` of the steps compute the softmax's normaliser, those before estimate it.
    """

    tokens: int = 0
    epochs: int = 2
    batch_tokens: int = 2048
    exact_part: float = 1.0
    sampled_head: int = 1024
    sampled_tail: int = 1024
    loss: str = "labels"
    start: str = "ridge"
    rate: float = 1e-3
    warm_up: float = 0.1
    weight_decay: float = 0.01
    ridge: float = 1.0
    seed: int = 1

    def rate_at(self, step: int, steps: int) -> float:
        return one_cycle(self.rate, self.warm_up, step, steps)


@dataclass(frozen=True)
class Recipe:
    """A recipe file. about: one sentence for people. name: the file's, without ``.toml``. task: an
    id of `models.tasks.TASKS`. restarts: how the network is fitted on from where ``network`` left
    it, one cycle after the other: networks of the same shape.
    """

    name: str
    about: str = ""
    task: str = LANGUAGE
    corpus: CorpusRecipe = field(default_factory=CorpusRecipe)
    network: NetworkRecipe = field(default_factory=NetworkRecipe)
    restarts: tuple[NetworkRecipe, ...] = ()
    heads: HeadsRecipe = field(default_factory=HeadsRecipe)

    @property
    def cycles(self) -> tuple[NetworkRecipe, ...]:
        return (self.network, *self.restarts)
