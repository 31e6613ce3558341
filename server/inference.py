"""The models in memory, and the one way to run them: one question at a time, off the event loop,
on all the threads that the settings give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import torch
from gevent.monkey import get_original

from models.artifact import Model
from models.asked_words import OwnClass, Watch, watch_word
from models.compare import Comparison, compare
from models.decode import Workspace
from models.inside import Inside, inside
from models.reading import ReadSentence, read
from models.team import Team
from models.trace import Trace, Tracer
from models.unit import UnitLine, unit_line
from server.loading import Loaded, by_id
from server.settings import Settings
from server.turns import InTurn

T = TypeVar("T")

READY_TEXT = "Are you ready?"


class Inference:
    """Loaded models by id, with the limit on the length of a text, and the threads of a trace."""

    def __init__(
        self, models: dict[str, Loaded], default: str, token_limit: int, threads: int = 1
    ) -> None:
        self.models = {id: one.model for id, one in models.items()}
        self.default = default
        self._token_limit = token_limit
        self._threads = threads
        workspace = Workspace(_native_team(threads))
        self._tracers = {
            id: Tracer(one.model, workspace, one.laid_out) for id, one in models.items()
        }
        self._in_turn = InTurn()
        # For what needs no model to run and takes a while, off the event loop: it waits for no
        # model, and no health check for it.
        self.beside = InTurn()

    @classmethod
    def load(cls, settings: Settings) -> Inference:
        """Load every model of the folder. Raises ArtifactError, one sentence, if one is unfit."""
        models, default = by_id(settings.model_folder, settings.default_model)
        return cls(models, default, settings.token_limit, settings.torch_threads)

    def read(
        self, id: str | None, text: str, watch: str | None = None
    ) -> tuple[list[ReadSentence], Watch | None]:
        """How ``text`` is read, however long it is, and the word to watch: None when it is not one,
        or not named. No model is run, so it waits for none. Raises KeyError for an unknown model.
        """
        model = self.model(id)
        return self.beside(
            lambda: (
                read(model.vocabulary, text),
                None if watch is None else watch_word(model.outputs, watch),
            )
        )

    def trace(
        self,
        id: str | None,
        text: str,
        semantic: str | None = None,
        bars: int = 10,
        top: float = 0.1,
        start: int = 0,
        watch: str | None = None,
        own_classes: Sequence[OwnClass] = (),
    ) -> Trace:
        """Trace ``text``. Raises KeyError for an unknown model and TraceRefused for a bad request.

        Only ids of loaded models are known, so an id can never reach the file system.
        """
        tracer = self._tracers[self.model(id).id]
        return self._run(
            lambda: tracer.trace(
                text,
                semantic=semantic,
                bars=bars,
                top=top,
                start=start,
                watch=watch,
                own_classes=own_classes,
                token_limit=self._token_limit,
            ),
            torch_threads=1,  # each thread of the tracer's team calls torch for itself
        )

    def cell(
        self,
        id: str | None,
        text: str,
        timestep: int,
        kind: str,
        layer: int | None,
        semantic: str | None = None,
        bars: int = 50,
        top: float = 0.1,
        own_classes: Sequence[OwnClass] = (),
    ) -> Inside:
        """The inside of a cell of ``text``. Raises what `trace` raises."""
        model = self.model(id)
        return self._run(
            lambda: inside(
                model,
                text,
                timestep,
                kind,
                layer,
                semantic=semantic,
                bars=bars,
                top=top,
                own_classes=own_classes,
                token_limit=self._token_limit,
            )
        )

    def unit(
        self,
        id: str | None,
        text: str,
        kind: str,
        layer: int | None,
        unit: int,
        follow: Sequence[float | None] | None = None,
        all_kinds: bool = False,
    ) -> UnitLine:
        """One unit along ``text``. Raises what `trace` raises."""
        model = self.model(id)
        tracer = self._tracers[model.id]
        return self._run(
            lambda: unit_line(
                model,
                text,
                kind,
                layer,
                unit,
                follow=follow,
                all_kinds=all_kinds,
                token_limit=self._token_limit,
                states_of=tracer.states,
            )
        )

    def compare(
        self, id: str | None, texts: Sequence[str], semantic: str | None = None
    ) -> Comparison:
        """Two texts side by side. Raises what `trace` raises."""
        model = self.model(id)
        tracer = self._tracers[model.id]
        return self._run(
            lambda: compare(
                model,
                texts,
                semantic=semantic,
                token_limit=self._token_limit,
                states_of=tracer.states,
            ),
            torch_threads=1,  # small steps, one after the other: threads would wait for each other
        )

    def model(self, id: str | None) -> Model:
        """The model of an id, the default one for None. Raises KeyError."""
        return self.models[self.default if id is None else id]

    def _run(self, compute: Callable[[], T], torch_threads: int | None = None) -> T:
        def with_threads() -> T:
            torch.set_num_threads(torch_threads or self._threads)  # of the thread that computes
            return compute()

        return self._in_turn(with_threads)

    def check(self) -> None:
        """A real forward pass of every model, before the questions that wait in line: a server
        that is busy is ready. Raises whatever fails."""

        def pass_through_all() -> None:
            torch.set_num_threads(1)
            for id, model in self.models.items():
                self._tracers[id].trace(READY_TEXT, semantic=model.semantics[0], bars=1)

        self._in_turn.soon(pass_through_all)


def _native_team(size: int) -> Team:
    """Threads of the system, also where gevent has put its own in their place."""
    return Team(
        size, get_original("_thread", "start_new_thread"), get_original("queue", "SimpleQueue")
    )
