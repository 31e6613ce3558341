#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests: $CHROMIUM, a system one, else it installs
# one with apt-get (as root or by sudo without a password), else playwright's own.
set -euo pipefail

say() { echo "chromium: $*" >&2; }

find_one() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [[ -n $name ]] && command -v "$name"; then return 0; fi
  done
  return 1
}

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

if find_one; then exit 0; fi

if command -v apt-get > /dev/null && as_root true 2> /dev/null; then
  say "none found; installing it with apt-get"
  export DEBIAN_FRONTEND=noninteractive
  if as_root apt-get update -qq >&2 &&
    as_root apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >&2; then
    if find_one; then exit 0; fi
  fi
  say "apt-get could not install it"
else
  say "none found, and no way to install packages (apt-get as root, or sudo)"
fi

say "trying playwright's own"
if python -m playwright install chromium >&2; then
  python -c 'from playwright.sync_api import sync_playwright as p
with p() as it: print(it.chromium.executable_path)'
  exit 0
fi

say "could not install a Chromium: install one yourself, or name it with CHROMIUM=/path/to/chromium"
exit 1
