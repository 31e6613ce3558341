"""The server of Unrolled: an HTTP API over `models`, and the built page.

Nothing heavy is imported until an app is made: the process that only starts workers, and
``unrolled --help``, need no torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.settings import Settings

if TYPE_CHECKING:
    from flask import Flask

    from server.inference import Inference

__version__ = "0.1.0"


def create_app(settings: Settings | None = None, inference: Inference | None = None) -> Flask:
    """The application. Settings come from the environment, the models from their folder.

    Raises SettingsError or `models.artifact.ArtifactError`, each one sentence.
    """
    from flask import Flask
    from flask_compress import Compress
    from werkzeug.middleware.proxy_fix import ProxyFix

    from server import answers, errors, hosts
    from server.api import api
    from server.inference import Inference
    from server.metrics import Metrics
    from server.page import page
    from server.watch import configure_logs, watch

    settings = settings or Settings.from_environment()
    inference = inference or Inference.load(settings)
    app = Flask(__name__, static_folder=None)
    app.config.update(
        # werkzeug cuts a chunked body at its limit without a word; one byte more shows the excess.
        MAX_CONTENT_LENGTH=settings.byte_limit + 1,
        COMPRESS_ALGORITHM=["gzip"],
        COMPRESS_LEVEL=answers.GZIP_LEVEL,
        COMPRESS_MIN_SIZE=1024,
    )
    # A doubled slash is a wrong address, not one to be redirected.
    app.url_map.merge_slashes = False
    metrics = Metrics()
    configure_logs(settings.log)
    # Functions that run after a request run last-registered first: the watch sees the final answer.
    watch(app, metrics, settings.proxies > 0, settings.log_text)
    errors.register(app, settings.byte_limit)
    hosts.guard(app, settings.host_names)
    answers.add_headers(app)
    Compress(app)
    app.register_blueprint(api(inference, settings, metrics, __version__))
    app.register_blueprint(page(settings.static_folder))
    if hops := settings.proxies:
        # Only when told: anybody can send these headers to a server that no proxy stands before.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops
        )
    return app
