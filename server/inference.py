"""The models in memory, and the one way to run them: one question at a time, off the event loop,
on all the threads that the settings give.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch
from gevent.monkey import get_original, is_module_patched
from gevent.threadpool import ThreadPool

from models.artifact import ArtifactError, Model
from models.asked_words import OwnClass, Watch, watch_word
from models.compare import Comparison, compare
from models.decode import Workspace
from models.inside import Cell, inside
from models.reading import ReadSentence, read
from models.team import Team
from models.trace import Trace, Tracer
from models.unit import UnitLine, unit_line
from server.loading import Loaded, loaded
from server.settings import Settings

T = TypeVar("T")

READY_TEXT = "Are you ready?"


class Inference:
    """Loaded models by id, with the limit on the length of a text, and the threads of a trace."""

    def __init__(
        self, by_id: dict[str, Loaded], default: str, token_limit: int, threads: int = 1
    ) -> None:
        self.models = {id: one.model for id, one in by_id.items()}
        self.default = default
        self._token_limit = token_limit
        self._threads = threads
        workspace = Workspace(_native_team(threads))
        self._tracers = {
            id: Tracer(one.model, workspace, one.classifiers) for id, one in by_id.items()
        }
        self._one_at_a_time = _one_at_a_time()
        self._beside = _one_at_a_time()  # for what needs no model to run

    @classmethod
    def load(cls, settings: Settings) -> Inference:
        """Load every model of the folder. Raises ArtifactError, one sentence, if one is unfit."""
        folder, by_id = settings.model_folder, {}
        for one in loaded(folder):
            if one.model.id in by_id:
                raise ArtifactError(f"{folder}: two models have the id {one.model.id}.")
            by_id[one.model.id] = one
        default = settings.default_model or next(iter(by_id))
        if default not in by_id:
            raise ArtifactError(f"There is no model {default} in {folder}.")
        return cls(by_id, default, settings.token_limit, settings.torch_threads)

    def read(
        self, id: str | None, text: str, watch: str | None = None
    ) -> tuple[list[ReadSentence], Watch | None]:
        """How ``text`` is read, however long it is, and the word to watch: None when it is not one,
        or not named. No model is run, so it waits for none. Raises KeyError for an unknown model.
        """
        model = self.model(id)
        return self._beside(
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
    ) -> Cell:
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

        return self._one_at_a_time(with_threads)

    def check(self) -> None:
        """A real forward pass of every model. Raises whatever fails."""
        for id, model in self.models.items():
            self.trace(id, READY_TEXT, semantic=model.semantics[0], bars=1)


def _native_team(size: int) -> Team:
    """Threads of the system, also where gevent has put its own in their place."""
    return Team(
        size, get_original("_thread", "start_new_thread"), get_original("queue", "SimpleQueue")
    )


def _one_at_a_time() -> Callable[[Callable[[], T]], T]:
    """How to run a computation that keeps its thread busy.

    Two at once on the same cores would each take twice as long. Under gevent it runs in a native
    thread, so that the event loop goes on answering health checks; elsewhere it takes a lock.
    """
    if not is_module_patched("threading"):
        lock = threading.Lock()

        def locked(compute: Callable[[], T]) -> T:
            with lock:
                return compute()

        return locked

    pool = ThreadPool(1)

    def pooled(compute: Callable[[], T]) -> T:
        # The error comes back as a value: gevent prints those that a pool's thread raises.
        outcome = pool.apply(_attempt, (compute,))
        if isinstance(outcome, _Raised):
            raise outcome.error
        result: T = outcome
        return result

    return pooled


class _Raised:
    def __init__(self, error: Exception) -> None:
        self.error = error


def _attempt(compute: Callable[[], T]) -> T | _Raised:
    try:
        return compute()
    except Exception as error:
        return _Raised(error)
