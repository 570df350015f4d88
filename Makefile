# make crawl                        crawls the small wiki that ships with the project
# make crawl SEEDS=https://… ARGS=… a real crawl; ARGS goes to `scrapy crawl` as it is
# make watch                        watches a small site of regulations: visits, changes, staging, proof
# make fields                       extracts fields from small sites, by a small model on this machine
# make reports                      finds the annual reports of three companies, on this machine
# make dashboard                    shows the dashboard over sources on this machine that change and fail
# make test                         everything that CI checks
# make lint                         the static part of it
# make coverage                     the tests, and which lines of the package none of them runs: 2.5 times as slow
# make bench                        whole crawls of two sites, ours and others', and the picture of
#                                   docs/benchmark.md
# make bench-growth                 speed and memory with 100,000 pages queued, on 1,000 sites
# make bench-fleet                  a crawl on 1, 2 and 4 workers
# make bench-fleet-kills            what is lost and doubled when workers and Redis are killed, stopped, cut off
# make bench-fleet-peers            a crawl on several workers beside scrapy-redis and scrapy-cluster's queues
# make bench-fleet-queue            a million queued requests in Redis
# make newest-scrapy                a selection of the tests with the newest release of Scrapy; make test
#                                   does so if that is newer than the installed one
# make contracts                    Scrapy's own tests, with our components in place of its own

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
OUT ?= pages.jsonl
# Processes that test at once: much of a test is waiting. JOBS=0 is this process alone, for a debugger.
JOBS ?= 3
# The tests start hundreds of processes; without their bytecode each would compile all it imports.
export PYTHONDONTWRITEBYTECODE =

.PHONY: crawl watch fields reports dashboard test lint coverage bench bench-growth bench-fleet bench-fleet-kills \
	bench-fleet-peers bench-fleet-queue contracts newest-scrapy clean

crawl: $(VENV)/.installed
ifdef SEEDS
	$(BIN)/scrapy crawl wiki -a seeds='$(SEEDS)' -O '$(OUT)' $(ARGS)
else
	$(BIN)/python -m wikicrawler.demo crawl -- -O '$(OUT)' $(ARGS)
endif

watch: $(VENV)/.installed
	$(BIN)/python -m wikicrawler.demo.watch

fields: $(VENV)/.installed
	PYTHON=$(BIN)/python scripts/install-model
	$(BIN)/python -m wikicrawler.demo.fields

reports: $(VENV)/.installed
	$(BIN)/python -m wikicrawler.demo.reports

dashboard: $(VENV)/.installed
	@$(BIN)/python -c 'import uvicorn, starlette, argon2, limits, jinja2' 2>/dev/null || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dashboard]'
	$(BIN)/python -m wikicrawler.demo.dashboard $(ARGS)

test: lint
	scripts/install-test-packages
	scripts/install-test-browser
	PYTHON=$(BIN)/python scripts/install-test-extra
	scripts/install-test-axe
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)
	PYTHON=$(BIN)/python scripts/test-newest-scrapy --if-newer

lint: $(VENV)/.installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

coverage: $(VENV)/.installed-for-tests
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --cov --cov-report= $(PYTEST_ARGS)
	$(BIN)/coverage report --skip-covered

bench: $(VENV)/.installed-for-tests
	scripts/install-test-packages
	$(BIN)/python -m bench.crawls $(ARGS)

bench-growth: $(VENV)/.installed-for-tests
	scripts/install-test-packages
	$(BIN)/python -m bench.growth $(ARGS)

bench-fleet bench-fleet-kills bench-fleet-peers bench-fleet-queue: $(VENV)/.installed-for-tests
	scripts/install-test-packages
	$(BIN)/python -m $(subst -,_,$(patsubst bench-%,bench.%,$@)) $(ARGS)

newest-scrapy: $(BIN)/python
	PYTHON=$(BIN)/python scripts/test-newest-scrapy

contracts: $(VENV)/.installed-for-tests
	$(BIN)/python -m bench.contracts $(ARGS)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "wikicrawler needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) -V 2>&1)." \
	       "Name another: make PYTHON=python3.12 …" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-for-tests: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .cache .coverage* .mypy_cache .pytest_cache .ruff_cache build *.egg-info
