# Each target does all of its own set-up; `make` alone lists them. Stamps in .venv and node_modules
# make a second run start at once.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PORT ?= 8000
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
NAMES := python3.11 python3 python3.12 python3.13 python3.14
PYTHON ?= $(shell for p in $(NAMES); do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

.PHONY: help serve test lint types bundle test-page test-python bench figures clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name text; do \
		printf '  make %-12s %s\n' "$$name" "$$text"; done

serve: .venv/.installed ## serve the page at http://127.0.0.1:8000 (PORT=…); needs Python 3.11 only
	@exec $(BIN)/unrolled serve --port $(PORT)

test: .venv/.chromium lint types bundle test-page test-python ## all that must hold; also needs Node 20
	@echo "make test: all is well"

lint: .venv/.tested node_modules/.installed ## ruff, eslint, prettier
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	npm run --silent lint

types: .venv/.tested node_modules/.installed ## mypy and tsc
	$(BIN)/mypy
	npm run --silent typecheck

# The bundle is committed, so that serving needs no Node: it must be what the sources build.
bundle: node_modules/.installed ## build the page into static/, and fail if that changed it
	@before=$$(mktemp -d) && cp -R static "$$before" && npm run --silent build -- --logLevel warn \
		&& { diff -r "$$before/static" static \
		|| { echo "static/ was stale: it is built now, commit it." >&2; exit 1; }; }; \
		status=$$?; rm -rf "$$before"; exit $$status

test-page: node_modules/.installed ## the page's tests, without a browser
	npm test --silent

test-python: .venv/.tested .venv/.chromium ## models, server, and the page in a real browser
	CHROMIUM="$$(cat .venv/.chromium)" $(BIN)/python -m pytest

bench: .venv/.installed ## the benchmark table
	$(BIN)/python -m benchmarks.bench

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
	@touch $@

.venv/.tested: pyproject.toml .venv/.installed
	@echo "Installing what the tests need (once) …" >&2
	@$(PIP) --editable '.[test]'
	@touch $@

.venv/.chromium: .venv/.tested tests/browser/chromium.sh
	@PATH="$(CURDIR)/$(BIN):$$PATH" bash tests/browser/chromium.sh > $@

node_modules/.installed: package-lock.json
	@command -v npm > /dev/null || { echo "The tests of the page need Node 20 or newer with npm; \
	serving does not." >&2; exit 1; }
	npm ci --silent
	@touch $@
