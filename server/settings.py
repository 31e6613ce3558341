"""The settings: ONE table, from which the environment, the command line and the docs are read.

Every field of `Settings` is a row: its name, type, default and help. The environment overrides a
default by ``UNROLLED_<NAME>``; docs/api.md shows the same table, and a test compares the two.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

_CHECKOUT = Path(__file__).resolve().parent.parent
LOG_FORMATS = ("console", "json", "off")
_SWITCH = {"no": False, "yes": True, "0": False, "1": True, "false": False, "true": True}


class SettingsError(ValueError):
    """A setting that cannot be used; the message is one sentence that names it."""


def _row(default: Any, text: str, least: int | None = None) -> Any:
    return field(default=default, metadata={"help": text, "least": least})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a server may be told. Raises SettingsError when a value is out of range."""

    host: str = _row("127.0.0.1", "Address to listen on; 0.0.0.0 for every network.")
    port: int = _row(8000, "Port to listen on; 0 lets the system choose one.", 0)
    hosts: str = _row(
        "localhost,127.0.0.1,::1",
        "Host names it answers to, with commas: .lab.org for those of a domain, * for any.",
    )
    proxies: int = _row(0, "Reverse proxies before it, whose X-Forwarded-… headers it believes.", 0)
    model_dir: Path = _row(
        Path("models/zoo"), "Folder of model folders; relative to the checkout unless absolute."
    )
    default_model: str = _row("", "Id of the model used when none is asked for; empty: the first.")
    static_dir: Path = _row(Path("static"), "The built page; relative to the checkout.")
    token_limit: int = _row(512, "Most tokens in a text, sentence starts not counted.", 1)
    byte_limit: int = _row(16384, "Most bytes in the body of a request.", 1)
    workers: int = _row(1, "Processes that serve, each with the models loaded.", 1)
    threads: int = _row(0, "Threads of one trace; 0: the cores divided by the workers.", 0)
    queue: int = _row(8, "Questions that may wait in each worker; one more is refused.", 0)
    rate: int = _row(0, "Questions a minute from one client in each worker; 0: any number.", 0)
    recycle: int = _row(
        50000, "Requests after which a worker is replaced, and up to a tenth more; 0: never.", 0
    )
    timeout: int = _row(60, "Seconds after which a worker that hangs is replaced.", 1)
    stall_timeout: int = _row(
        20, "Seconds that a body may take in all, and an answer without a byte of it taken.", 1
    )
    graceful_timeout: int = _row(20, "Seconds that running requests get at a stop.", 1)
    log: str = _row("console", "One line a request: console, json or off. Never the typed text.")
    log_text: bool = _row(False, "Log the typed text too: yes or no. Tell those who type it.")

    def __post_init__(self) -> None:
        for row in fields(self):
            least = row.metadata["least"]
            if least is not None and getattr(self, row.name) < least:
                raise SettingsError(f"The setting {row.name} must be {least} or more.")
        if self.port > 65535:
            raise SettingsError("The setting port must be at most 65535.")
        if self.log not in LOG_FORMATS:
            raise SettingsError(f"The setting log must be one of {', '.join(LOG_FORMATS)}.")

    @property
    def host_names(self) -> tuple[str, ...]:
        """Those it answers to, in lower case; the address that it listens on is one of them."""
        names = [name.strip().lower() for name in (*self.hosts.split(","), self.host)]
        return tuple(name for name in names if name)

    @property
    def model_folder(self) -> Path:
        return _CHECKOUT / self.model_dir

    @property
    def static_folder(self) -> Path:
        return _CHECKOUT / self.static_dir

    @property
    def torch_threads(self) -> int:
        """Workers times threads never exceeds the cores: more only makes each trace slower."""
        from models.separate_cores import cores

        return self.threads or max(1, cores() // self.workers)

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Defaults, overridden by ``UNROLLED_…``. Raises SettingsError on a value of wrong type."""
        environ = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        for row in fields(cls):
            raw = environ.get(variable(row.name))
            if raw is not None:
                values[row.name] = _parse(row.name, type(row.default), raw)
        return cls(**values)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"UNROLLED_{name.upper()}"


def table() -> list[tuple[str, str, str]]:
    """(environment variable, default, help) of every setting, in order: what the docs show."""
    return [
        (variable(row.name), _shown(row.default), row.metadata["help"]) for row in fields(Settings)
    ]


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default) or "(empty)"


def _parse(name: str, kind: type, raw: str) -> Any:
    if kind is bool:
        if raw.lower() not in _SWITCH:
            raise SettingsError(f"{variable(name)} must be yes or no, not {raw!r}.")
        return _SWITCH[raw.lower()]
    try:
        return kind(raw)
    except ValueError:
        raise SettingsError(f"{variable(name)} must be a whole number, not {raw!r}.") from None
