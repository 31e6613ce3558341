# The server with the shipped model and the committed page; no Node, no compiler in the result.
#
#   docker build -t unrolled .
#   docker run --rm --read-only --tmpfs /tmp -p 8000:8000 unrolled
#
# Where pip would take a CUDA build of PyTorch (several GB), name the index of its CPU wheels, as
# PyTorch's installation page gives it: --build-arg TORCH_INDEX=…

FROM python:3.11.14-slim-bookworm AS build
ARG TORCH_INDEX=""
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/unrolled
WORKDIR /app
COPY pyproject.toml LICENSE README.md ./
COPY models models
COPY server server
COPY static static
# Readable by whoever runs it, also where the checkout's files are its owner's alone. Editable: the
# models and the page are found beside the code, in /app.
RUN chmod -R a+rX /app \
    && /opt/unrolled/bin/pip install ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} --editable .

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
    UNROLLED_HOST=0.0.0.0 \
    UNROLLED_PORT=8000 \
    UNROLLED_LOG=json
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"UNROLLED_PORT\"]}/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
# gunicorn, as server/gunicorn_conf.py sets it up.
CMD ["unrolled", "serve"]
