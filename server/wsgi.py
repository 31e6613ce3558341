"""What gunicorn calls in each worker: the app, or one sentence on stderr and the end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from server import create_app
from server.saying import say
from server.settings import SettingsError

if TYPE_CHECKING:
    from flask import Flask

# gunicorn's own status for an application that cannot be loaded: the master stops, and does not
# start the worker again and again.
APP_LOAD_ERROR = 4


def application() -> Flask:
    """The app of this worker; ends the process when a model or a setting is unfit."""
    from models.artifact import ArtifactError

    try:
        return create_app()
    except (ArtifactError, SettingsError) as error:
        say(str(error))
        sys.exit(APP_LOAD_ERROR)
