"""The pictures of README and docs, from the real server and page: `make figures`."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).parent
INSIDE = {
    "text": '"we stand in solidarity," she emphasized.',
    "inside": "9.cell_state.2",
    "order": "contribution",
}
UNIT = {
    "text": "0([2(3)2]1)0",
    "model": "nesting",
    "unit": "cell_state.1.25",
    "follow": "depth",
}
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [Path(sys.executable).with_name("unrolled"), "serve", "--port", str(port)]
    )
    try:
        _wait(f"http://127.0.0.1:{port}/readyz")
        chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for scheme, name in (("light", "grid.png"), ("dark", "grid-dark.png")):
                page = browser.new_page(
                    viewport={"width": 1600, "height": 1000},
                    color_scheme=scheme,  # type: ignore[arg-type]
                )
                page.goto(f"http://127.0.0.1:{port}/")
                page.get_by_role("button", name="No, thanks").click()
                _hover(page, "she", "Long-term memory of layer 2")
                page.screenshot(path=DOCS / name)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"http://127.0.0.1:{port}/#v=1&{urlencode(INSIDE)}")
            page.locator("#inside .divergence").get_by_text("bits").first.wait_for()
            page.locator("#inside").screenshot(path=DOCS / "inside.png")
            page.goto("about:blank")
            page.goto(f"http://127.0.0.1:{port}/#v=1&{urlencode(UNIT)}")
            page.locator("#unit .found button").first.wait_for()
            page.locator("#unit").screenshot(path=DOCS / "unit.png")
            browser.close()
    finally:
        server.terminate()
        server.wait(timeout=30)


def _hover(page: Page, token: str, kind: str) -> None:
    """Point at the cell of a token and a kind, and wait for its popup."""
    page.locator(f"[aria-label^='{token}, timestep'][aria-label*='{kind}']").hover()
    page.locator("#popup").wait_for()
    page.wait_for_timeout(300)


def _wait(url: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=5)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


if __name__ == "__main__":
    main()
