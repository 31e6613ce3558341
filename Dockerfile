# The server with the shipped model and the committed page; no Node, no compiler in the result.
#
#   docker build --platform linux/amd64 --build-arg TORCH_INDEX=… -t unrolled .
#   docker run --rm --read-only --tmpfs /tmp -p 8000:8000 unrolled
#
# TORCH_INDEX is the index of PyTorch's CPU wheels, as PyTorch's installation page gives it. It may
# be left out only where pip's own index has the CPU build too; PyPI has not. What is installed is what
# deploy/requirements.lock says, each file by its hash: never a CUDA build, several GB that the server
# does not use. The lock is for x86-64, and so is the image; `make lock` writes it anew.

FROM python:3.11.14-slim-bookworm AS build
ARG TORCH_INDEX=""
ENV PIP_EXTRA_INDEX_URL="$TORCH_INDEX" PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/unrolled
ENV PATH="/opt/unrolled/bin:$PATH"
WORKDIR /app
# What it needs comes first: a change of the code or of a model does not install PyTorch again.
COPY deploy/requirements.lock ./
RUN pip install --quiet --require-hashes --only-binary :all: --requirement requirements.lock \
    || { echo 'If pip did not find torch: name the index of its CPU wheels with \
--build-arg TORCH_INDEX=… If a hash differs, the file is not the one that was tested.' >&2; exit 1; }
COPY pyproject.toml LICENSE README.md ./
COPY models models
COPY server server
COPY static static
# Readable by whoever runs it, also where the checkout's files are its owner's alone. Editable: the
# models and the page are found beside the code, in /app.
RUN chmod -R a+rX /app \
    && pip install --quiet --no-deps --no-build-isolation --editable . \
    && python -m compileall -q models server \
    && NUMBA_CACHE_DIR=/app/compiled python -c 'import models.trace'

FROM python:3.11.14-slim-bookworm
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin unrolled
COPY --from=build /opt/unrolled /opt/unrolled
COPY --from=build /app /app
WORKDIR /app
USER unrolled
ENV PATH="/opt/unrolled/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    NUMBA_CACHE_DIR=/app/compiled \
    UNROLLED_HOST=0.0.0.0 \
    UNROLLED_PORT=8000 \
    UNROLLED_LOG=json
EXPOSE 8000
# With Python: the image has no curl.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"UNROLLED_PORT\"]}/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
# gunicorn, as server/gunicorn_conf.py sets it up.
CMD ["unrolled", "serve"]
