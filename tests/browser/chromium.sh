#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests: $CHROMIUM, a headless shell (the same engine
# without the windows, for two thirds of the work), a system one, else it installs one with apt-get
# (as root or by sudo without a password), else playwright's own.
set -euo pipefail

say() { echo "chromium: $*" >&2; }

BROWSERS=(chromium chromium-browser google-chrome google-chrome-stable)
SHELLS=(chromium-headless-shell chrome-headless-shell)

find_one() {
  local name
  for name in "${CHROMIUM:-}" "${SHELLS[@]}" "$@"; do
    if [[ -n $name ]] && command -v "$name"; then return 0; fi
  done
  return 1
}

as_root() {
  if [[ $EUID -eq 0 ]]; then "$@"; else sudo -n "$@"; fi
}

get() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends --no-remove "$@" >&2
}

if find_one; then exit 0; fi

if command -v apt-get > /dev/null && as_root true 2> /dev/null; then
  # Beside a Chromium of the system, the shell of its very version: nothing there is changed.
  if beside=$(dpkg-query -W -f '${Version}' chromium-common 2> /dev/null) && [[ -n $beside ]]; then
    say "adding the headless shell to the Chromium that is there"
    { get "chromium-headless-shell=$beside" || { as_root apt-get update -qq >&2 &&
      get "chromium-headless-shell=$beside"; }; } 2> /dev/null || say "not to be had: as it is, then"
    if find_one; then exit 0; fi
  elif ! find_one "${BROWSERS[@]}" > /dev/null; then
    say "none found; installing it with apt-get"
    as_root apt-get update -qq >&2 || true
    get chromium-headless-shell fonts-dejavu-core || get chromium fonts-dejavu-core ||
      say "apt-get could not install it"
  fi
elif ! find_one "${BROWSERS[@]}" > /dev/null; then
  say "none found, and no way to install packages (apt-get as root, or sudo)"
fi
if find_one "${BROWSERS[@]}"; then exit 0; fi

say "trying playwright's own"
if python -m playwright install chromium >&2; then
  python -c 'from playwright.sync_api import sync_playwright as p
with p() as it: print(it.chromium.executable_path)'
  exit 0
fi

say "could not install a Chromium: install one yourself, or name it with CHROMIUM=/path/to/chromium"
exit 1
