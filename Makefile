# Everything runs in .venv, made here from requirements.txt. `make help` lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup run test check bench soak messages catalogues requirements

PYTHON ?= python3
PORT ?= 8000
ARGS ?=
PY := .venv/bin/python

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: .venv/.installed

.venv/.installed: requirements.txt scripts/setup
	@PYTHON="$(PYTHON)" scripts/setup

catalogues: setup
	@$(PY) scripts/messages.py compile

run: catalogues ## make the environment, load the demo and serve it (PORT=8000)
	@PORT="$(PORT)" scripts/run

test: catalogues ## run the whole suite (ARGS="-k purse" for a part)
	@scripts/prepare-browser
	@$(PY) -m pytest -n 2 --dist worksteal $(ARGS)

check: catalogues ## style, types, imports, deployment settings, migrations
	@scripts/check

bench: catalogues ## measure the rules and the pages
	@scripts/bench

soak: catalogues ## run the long tests at their full counts, on PostgreSQL and Redis
	@scripts/soak $(ARGS)

messages: setup ## collect the messages to translate, and compile the catalogues
	@$(PY) scripts/messages.py collect
	@$(PY) scripts/messages.py compile

requirements: setup ## pin requirements.in anew, with hashes and without addresses
	@$(PY) -m uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command "make requirements" -o requirements.txt requirements.in
