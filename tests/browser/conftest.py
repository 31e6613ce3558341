"""The real page in a real browser, on a real server: the small model, and each that is shipped.

Whatever a test does, the page may ask no other host, write no error to the console and break no
rule of its content security policy: that is checked when the test ends.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.fixtures.tiny import make_tiny_model
from tests.running import Server, serving

ROOT = Path(__file__).parents[2]
SHIPPED = [path.parent.name for path in sorted((ROOT / "models" / "zoo").glob("*/config.json"))]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
SIZE = {"width": 1440, "height": 1000}
# Long, for machines that have other work: it is only waited for where something is wrong.
WAIT = 45_000
expect.set_options(timeout=WAIT)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert path, "no Chromium: `make test` brings one, or name it with CHROMIUM=…"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def tiny_zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("zoo")).parent


@pytest.fixture(scope="session")
def tiny_server(tiny_zoo: Path) -> Iterator[Server]:
    with serving(tiny_zoo, threads=1, log="off") as server:
        yield server


@pytest.fixture(scope="session")
def shipped_server() -> Iterator[Server]:
    with serving(ROOT / "models" / "zoo", log="off") as server:
        yield server


# How far, at each edge, the ground that a row's bars are drawn on is from the words over it.
BEHIND = """() => [...document.querySelectorAll("#grid tbody tr")].flatMap((tr) =>
  [tr, tr.querySelector("td.y")].map((of) => {
    const ground = of.querySelector(":scope > svg path").getBoundingClientRect();
    const words = [...of.querySelectorAll(".words")].map((n) => n.getBoundingClientRect());
    const [first, last] = [words[0], words.at(of === tr ? -2 : -1)];
    return [first.left - ground.left, first.top - ground.top,
      last.right - ground.right, last.bottom - ground.bottom];
  }))"""


@dataclass
class View:
    """A page, what it asked for, and what it complained about."""

    page: Page
    server: Server
    requests: list[Request] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    # What the API refused. Nothing that the page asks may be: no test expects one.
    refusals: list[str] = field(default_factory=list)
    # A test that takes the server away says so: the browser then logs each failed request.
    server_leaves: bool = False

    def open(self, fragment: str = "") -> None:
        """Load the page and wait for its grid."""
        self.page.goto(f"{self.server.url}/{fragment}")
        self.page.locator("#grid td.cell").first.wait_for()

    def read(self, text: str, rows: int) -> None:
        """Load the page with a text, as a link does."""
        self.open(f"#{urlencode({'v': 1, 'text': text})}")
        self.rows(rows)

    def type(self, text: str, rows: int) -> None:
        """Replace the text, and wait until the grid has as many rows."""
        self.page.get_by_label("Text that the network reads").fill(text)
        self.rows(rows)

    def rows(self, count: int) -> None:
        script = "n => document.querySelectorAll('#grid tbody tr').length === n"
        self.page.wait_for_function(script, arg=count)
        self.drawn()

    def drawn(self) -> None:
        """Wait until what was done is drawn: the page draws once a frame."""
        two = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        self.page.evaluate(two)

    def cell(self, row: int, column: int) -> Any:
        return self.page.locator("#grid tbody tr").nth(row).locator("td.cell").nth(column)

    def point(self, row: int, column: int) -> None:
        """Point at a cell, until the popup is there: its own, since none was before."""
        self.point_at_nothing()
        self.cell(row, column).hover()
        self.page.locator("#popup").wait_for()

    def point_at_nothing(self) -> None:
        """Until there is no popup."""
        self.page.mouse.move(0, 0)
        self.page.locator("#popup").wait_for(state="hidden")

    def bars_are_behind_their_words(self) -> None:
        """The bars of a row are drawn behind its cells: each where its word is."""
        rows = self.page.evaluate(BEHIND)
        assert rows
        for offsets in rows:
            assert offsets == pytest.approx([0, 0, 0, 0], abs=0.6)

    def asked(self) -> list[str]:
        """What the page asked the API so far; Chromium itself asks for the icon now and then."""
        return [r.url for r in self.requests if "/api/" in r.url]

    def traces(self) -> list[dict[str, Any]]:
        """The bodies of the trace requests so far."""
        return [r.post_data_json for r in self.requests if r.url.endswith("/api/v1/trace")]

    def api(self, path: str) -> Any:
        response = self.page.request.get(f"{self.server.url}/api/v1/{path}")
        return response.json()

    def trace(self, text: str, **fields: Any) -> Any:
        """The API's own answer, asked for beside the page."""
        url = f"{self.server.url}/api/v1/trace"
        return self.page.request.post(url, data={"text": text} | fields).json()

    def check(self) -> None:
        hosts = {urlsplit(request.url).netloc for request in self.requests}
        assert hosts <= {urlsplit(self.server.url).netloc}
        assert self.refusals == []
        assert self.complaints == []
        assert self.page.evaluate("window.violations") == []


WATCH = """
window.violations = [];
addEventListener("securitypolicyviolation", (e) => violations.push(e.violatedDirective));
// Nobody here is new: the guided tour is offered only where a test asks for it.
try { localStorage.setItem("unrolled.tour", "answered"); } catch {}
"""


def watch(context: BrowserContext, server: Server) -> View:
    """A page whose requests, errors and policy violations are kept."""
    context.set_default_timeout(WAIT)
    context.add_init_script(WATCH)
    page = context.new_page()
    view = View(page, server)
    page.on("request", lambda request: view.requests.append(request))
    page.on("pageerror", lambda error: view.complaints.append(str(error)))
    page.on("dialog", lambda dialog: view.complaints.append(f"dialog {dialog.message}"))

    def said(message: Any) -> None:
        refused = view.server_leaves and "Failed to load resource" in message.text
        # Chromium asks for it by itself where an address has no page of ours: /healthz.
        refused = refused or message.location["url"].endswith("/favicon.ico")
        if message.type in ("error", "warning") and not refused:
            view.complaints.append(message.text)

    def answered(response: Response) -> None:
        if "/api/" in response.url and response.status >= 400:
            view.refusals.append(f"{response.status} {response.url} {response.request.post_data}")

    page.on("console", said)
    page.on("response", answered)
    return view


@pytest.fixture(scope="session")
def shared(chromium: Browser, tiny_server: Server) -> Iterator[View]:
    """The page that most tests use in turn: a new one each costs as much as a test."""
    context = chromium.new_context(viewport=SIZE)
    yield watch(context, tiny_server)
    context.close()


@pytest.fixture
def view(shared: View) -> Iterator[View]:
    """The shared page, with nothing of the test before it left."""
    page = shared.page
    page.unroute_all(behavior="ignoreErrors")
    # Away from the page before, but not from its origin: another one costs a new process.
    page.goto(f"{shared.server.url}/healthz")
    page.set_viewport_size(SIZE)  # type: ignore[arg-type]
    # What fades in is drawn anew for each frame of that.
    page.emulate_media(media="null", color_scheme="null", reduced_motion="reduce")
    page.mouse.move(0, 0)
    shared.requests.clear()
    shared.complaints.clear()
    shared.refusals.clear()
    shared.server_leaves = False
    yield shared
    shared.check()
