# Each target does all of its own set-up; `make` alone lists them. Stamps in .venv and node_modules
# make a second run start at once.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# What Python and pytest compile is kept, whatever the shell says: each start needs it.
unexport PYTHONDONTWRITEBYTECODE

PORT ?= 8000
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
NAMES := python3.11 python3 python3.12 python3.13 python3.14
PYTHON ?= $(shell for p in $(NAMES); do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

# The parts of `make test`, the longest first. They run side by side, two more than there are cores: the
# browser's parts wait for frames two fifths of their time, and are two, since one was left alone at the
# end. What a part has to say comes when it ends, in one piece where make can do that.
PARTS := test-browser test-browser-more test-models test-server test-page types lint bundle
JOBS := $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 2 )))
IN_ONE_PIECE := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

NODE_IS_NEW := const [major, minor] = process.versions.node.split(".").map(Number); \
	process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)

.PHONY: help serve test $(PARTS) bench fuzz load soak faults replicas image-steps audit lock figures clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; do \
		printf '  make %-12s %s\n' "$$name" "$$text"; done

serve: .venv/.installed ## serve the page at http://127.0.0.1:8000 (PORT=…); needs Python 3.11 only
	@exec $(BIN)/unrolled serve --port $(PORT)

test: .venv/.tested .venv/.chromium node_modules/.installed ## all that must hold; also needs Node 20.19
	@echo "Running side by side (some three minutes on two cores): $(PARTS) …"
	@$(MAKE) --no-print-directory --jobs=$(JOBS) $(IN_ONE_PIECE) --keep-going $(PARTS) \
		|| { echo "make test: a part failed; it ends in *** above." >&2; exit 1; }
	@echo "make test: all is well"

lint: .venv/.tested node_modules/.installed ## ruff, oxlint, oxfmt
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	npm run --silent lint

types: .venv/.tested node_modules/.installed ## mypy and tsc
	$(BIN)/mypy
	npm run --silent typecheck

# The bundle is committed, so that serving needs no Node: it must be what the sources build. Built
# elsewhere first: the tests beside it serve static/.
bundle: node_modules/.installed ## build the page into static/, and fail if that changed it
	@built=$$(mktemp -d) && trap 'rm -rf "$$built"' EXIT \
		&& npm run --silent build -- --logLevel warn --outDir "$$built" --emptyOutDir \
		&& { diff -r "$$built" static || { rm -rf static && cp -R "$$built" static && chmod 755 static; \
		echo "static/ was stale: it is built now, commit it." >&2; exit 1; }; }

test-page: node_modules/.installed ## the page's tests, without a browser
	npm test --silent

test-models: .venv/.tested node_modules/.installed ## the network, its training, the corpora, the shipped model
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --ignore=tests/server --ignore=tests/browser

test-server: .venv/.tested ## the API, the command line, the real server
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/server

BROWSER := $(wildcard tests/browser/test_[a-m]*.py tests/browser/test_su*.py)
IN_BROWSER = CHROMIUM="$$(cat .venv/.chromium)" OMP_NUM_THREADS=1 $(BIN)/python -m pytest

test-browser: .venv/.tested .venv/.chromium ## the page in a real browser, on the real server
	$(IN_BROWSER) $(BROWSER)

test-browser-more: .venv/.tested .venv/.chromium ## the other half of that
	$(IN_BROWSER) $(filter-out $(BROWSER),$(wildcard tests/browser/test_*.py))

bench: .venv/.tested .venv/.chromium ## the benchmark table, of the page too
	CHROMIUM="$$(cat .venv/.chromium)" $(BIN)/python -m benchmarks.bench

# What takes long, or more than Python and Node: run by hand. docs/operations.md has what it found.
REQUESTS ?= 100000
MINUTES ?= 60

fuzz: .venv/.tested ## the API under 100,000 requests (REQUESTS=…) that nobody would send
	FUZZ_REQUESTS=$(REQUESTS) OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/server/test_fuzz.py \
		tests/server/test_bad_questions.py

load: .venv/.tested ## the server at 1, 2 and 4 times what it can answer
	$(BIN)/python -m benchmarks.load

soak: .venv/.tested ## the server at half load for an hour (MINUTES=…), and the slope of its memory
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES)

faults: .venv/.tested ## the server on broken models and read-only disks, killed, and back within 2 s
	BACK_WITHIN=2 OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/server/faults.py \
		tests/server/test_faults.py tests/server/test_running.py

replicas: .venv/.tested ## two servers behind nginx, one of them killed; needs nginx and openssl
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -rP tests/server/replicas.py

image-steps: .venv/.installed ## the Dockerfile's steps as a plain script, and what they make, run
	$(BIN)/python -m tests.image_steps

audit: .venv/.installed node_modules/.installed ## known faults of what the image and the page are made of
	$(BIN)/python -m venv .venv/audit
	.venv/audit/bin/pip install --quiet --disable-pip-version-check pip-audit
	sed 's/+cpu//; s/ *--hash=[^ ]*//; s/ *\\$$//' deploy/requirements.lock > .venv/audit/needs.txt
	.venv/audit/bin/pip-audit --strict --no-deps --disable-pip --requirement .venv/audit/needs.txt
	npm audit

lock: .venv/.installed ## write deploy/requirements.lock anew, on Linux with the Dockerfile's Python
	$(BIN)/python deploy/lock.py

figures: .venv/.tested .venv/.chromium ## the pictures of README and docs, from the real page
	CHROMIUM="$$(cat .venv/.chromium)" $(BIN)/python docs/figures.py

clean: ## forget what was installed
	rm -rf .venv node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Unrolled needs Python 3.11 or newer: install it (Debian: \
	apt-get install python3 python3-venv), or name it with PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; echo "$(PYTHON) cannot make a virtual environment \
	(Debian: apt-get install python3-venv)." >&2; exit 1; }

.venv/.installed: pyproject.toml | .venv/bin/python
	@echo "Installing what Unrolled needs (once; PyTorch is large, so this takes a minute or more) …" >&2
	@$(PIP) --editable .
	@echo "Compiling what runs the network (once) …" >&2
	@$(BIN)/python -c 'import models.trace'
	@touch $@

.venv/.tested: pyproject.toml .venv/.installed
	@echo "Installing what the tests need (once) …" >&2
	@$(PIP) --editable '.[test]'
	@touch $@

.venv/.chromium: .venv/.tested tests/browser/chromium.sh
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash tests/browser/chromium.sh > $@

node_modules/.installed: package-lock.json
	@command -v npm > /dev/null && node -e '$(NODE_IS_NEW)' || { echo "The tests of the page need \
	Node 20.19 or newer with npm, and there is $$(node --version 2> /dev/null || echo none); serving \
	does not need it." >&2; exit 1; }
	npm ci --silent
	@touch $@
