"""The benchmark table: ``make bench``.

Times are of whole requests to a real server on this machine, one after the other: tokenising, the
network, decoding, JSON. The shipped model if there is one, else the tests' small random one.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import statistics
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from tests.fixtures.tiny import make_tiny_model
from tests.running import Server, serving

ZOO = Path(__file__).parents[1] / "models" / "zoo"
STEPS = (2, 20, 100)
WORDS = "the keys to the old cabinet in the hall were lost and she said that he did not stand in it"


def text_of(steps: int) -> str:
    """An unfinished sentence of ``steps`` timesteps, its start included: 2 is one word."""
    words = WORDS.split()
    return " ".join(words[i % len(words)] for i in range(steps - 1))


def post(connection: http.client.HTTPConnection, text: str) -> bytes:
    body = json.dumps({"text": text})
    connection.request("POST", "/api/v1/trace", body, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = response.read()
    if response.status != 200:
        raise RuntimeError(answer.decode())
    return answer


def measure(server: Server, steps: int, repeats: int) -> str:
    """A row of the table: median and 95th percentile in ms, size of the answer."""
    parts = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    text = text_of(steps)
    answer = post(connection, text)
    traced = len(json.loads(answer)["tokens"])
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        post(connection, text)
        times.append((time.perf_counter() - began) * 1000)
    late = sorted(times)[int(0.95 * (len(times) - 1))]
    packed = len(gzip.compress(answer, 1))
    return (
        f"| {traced} timesteps | {statistics.median(times):.1f} | {late:.1f} "
        f"| {len(answer) / 1000:.0f} | {packed / 1000:.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model-dir", type=Path, help="folder of model folders")
    parser.add_argument("--repeats", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.model_dir or ZOO
        if not list(folder.glob("*/config.json")):
            folder = make_tiny_model(Path(scratch)).parent
        began = time.perf_counter()
        with serving(folder, log="off") as server:
            started = time.perf_counter() - began
            model = next(folder.glob("*/config.json")).parent.name
            print(f"model {model}; from start to first answer {started:.1f} s\n")
            print("| trace of | median ms | 95 % ms | JSON kB | gzipped kB |")
            print("| --- | --- | --- | --- | --- |")
            for steps in STEPS:
                print(measure(server, steps, options.repeats), flush=True)


if __name__ == "__main__":
    main()
