# Everything is done from a bare checkout: each target sets up what it needs and no more.
# Standard output belongs to the program that a target starts; set-up talks on standard error.
# With -C, make itself prints the folder it enters: `make -s -C FOLDER run` keeps it quiet.

# The first interpreter that is new enough, else plain python3, which is then refused below.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; done; echo $$p)

ARGS ?=
GAMES ?= 20
TC ?= 1+0.05
OPPONENT ?= $(shell PATH="$$PATH:/usr/games" command -v stockfish)

BIN := .venv/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check
SOURCES := $(shell find engine protocol -name '*.py')

.PHONY: help run test check format warmup perft bench speed match clean
.DELETE_ON_ERROR:

help: ## print the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18
	@echo "Words for the program behind a target go into ARGS: make run ARGS='--help'"

run: warmup ## start the chess engine, ready for UCI on standard input
	@exec $(BIN)/triptych $(ARGS)

test: .venv/.tools .venv/.warm ## run all tests
	@exec $(BIN)/pytest $(ARGS)

check: .venv/.tools ## lint, check the format and the types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict

format: .venv/.tools ## rewrite the sources in the project's format
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

warmup: .venv/.warm ## compile the engine into the cache on disk

perft: .venv/.tools .venv/.warm ## count the leaves of all positions of the suite and compare
	@status=0; \
	$(BIN)/python scripts/perft_suite.py tests/data/perft.jsonl $(ARGS) || status=$$?; \
	$(BIN)/python scripts/blokus_suite.py tests/data/blokus_perft.jsonl || status=$$?; \
	$(BIN)/python scripts/cotulenh_suite.py tests/data/cotulenh_perft.jsonl.gz || status=$$?; \
	exit $$status

bench: warmup ## search the fixed positions: the node count is the signature of the search
	@exec $(BIN)/triptych bench $(ARGS)

speed: .venv/.tools .venv/.warm ## compare the speed with the peers on this machine
	@exec $(BIN)/python scripts/speed.py $(ARGS)

match: .venv/.tools .venv/.warm ## play OPPONENT, by default Stockfish, GAMES games at TC
	@test -n "$(OPPONENT)" || { echo "make match: no stockfish here, set OPPONENT" >&2; exit 1; }
	@exec $(BIN)/python scripts/match.py --engine $(BIN)/triptych --opponent '$(OPPONENT)' \
		--games $(GAMES) --tc $(TC) --openings tests/data/openings.epd $(ARGS)

clean: ## remove what was built here, the virtual environment too
	@rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Triptych needs Python 3.11 or newer: set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "making .venv with $$($(PYTHON) --version)" >&2
	@$(PYTHON) -m venv .venv >&2

.venv/.installed: pyproject.toml | $(BIN)/python
	@echo "installing the engine and what it needs" >&2
	@$(PIP) install --editable . >&2
	@touch $@

.venv/.tools: .venv/.installed
	@echo "installing the tools for tests and checks" >&2
	@$(PIP) install --editable '.[test,check]' >&2
	@touch $@

.venv/.warm: .venv/.installed $(SOURCES)
	@$(BIN)/triptych warmup >&2
	@touch $@
