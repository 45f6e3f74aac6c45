# Everything a newcomer needs: `make demo` shows what Lycosa does, `make test` shows that it works.
# Needs python3 (3.11 or newer) with venv and pip; everything else is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Where Python may keep no compiled files, each of the many processes of a test run compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup browser firefox demo test quick coverage slow check bench search-quality recall results reference floors faults audit crash memory lock docs clean

help:  ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## Install Lycosa and its tools into .venv, in pinned versions

$(READY): pyproject.toml requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Lycosa needs Python 3.11 or newer; try make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(READY)

demo: setup  ## Make a little web, hunt it over real HTTP, show what was found and why, open a page (OPEN=0 does not)
	rm -rf demo
	$(BIN)/lycosa demo demo $(if $(filter 0,$(OPEN)),--no-open)

browser:  # Chromium and axe-core for the tests of pages and of rendering; they are skipped with a reason where it cannot be had
	@if ! command -v chromium >/dev/null && command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
	  echo "installing chromium for the tests of pages"; \
	  { apt-get -qq install -y --no-install-recommends chromium || { apt-get -qq update \
	    && apt-get -qq install -y --no-install-recommends chromium; }; } >/dev/null 2>&1 || true; fi
	@if command -v npm >/dev/null && ! test -e .venv/npm/node_modules/axe-core/axe.min.js; then \
	  echo "installing axe-core for the tests of accessibility"; \
	  npm install --silent --no-audit --no-fund --prefix .venv/npm axe-core@4 >/dev/null 2>&1 || true; fi

firefox:  # Firefox for the slow test of the companion, which is skipped with a reason where it cannot be had
	@if ! command -v firefox-esr >/dev/null && ! command -v firefox >/dev/null && command -v apt-get >/dev/null && test "$$(id -u)" = 0; then \
	  echo "installing firefox for the test of the companion"; \
	  { apt-get -qq install -y --no-install-recommends firefox-esr iproute2 || { apt-get -qq update \
	    && apt-get -qq install -y --no-install-recommends firefox-esr iproute2; }; } >/dev/null 2>&1 || true; fi

test: check browser  ## Check the code and run every test
	$(BIN)/python -m pytest -n 3 --dist worksteal  # one more than cores, as many tests wait; neighbours share what they set up

quick: setup  ## The checks and the tests of what was touched since main, and a few fast ones (BASE=commit), in about a minute
	$(BIN)/python .ci/quick $(BASE)

coverage: setup browser  ## Which lines and branches the tests run, child processes included, into build/coverage (slower than make test)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n 3 --dist worksteal; result=$$?; $(BIN)/coverage combine --quiet; \
	  $(BIN)/coverage html --quiet; $(BIN)/coverage report; exit $$result

slow: setup browser firefox  ## The tests that take minutes: more floors and reference crawlers, large files, the companion in Firefox
	$(BIN)/python -m pytest -m slow

check: setup  ## Formatting, lints, types, the rooms' import rules, and generated documentation
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python .ci/reference --check

bench: setup  ## CPU per page against Scrapy and Crawl4AI over the same served web, and Lycosa's parts
	$(BIN)/python bench/peers.py
	$(BIN)/python bench/parts.py

search-quality: setup  ## How good and how quick search is on the schools bed: content, reference and hybrid
	$(BIN)/python bench/search_quality.py

recall: setup  ## The laboratory on the schools bed, beside its reference figures
	$(BIN)/python bench/schools.py

results: setup  ## Every strategy on the test beds and on made webs, into docs/reference/results.md (an hour)
	$(BIN)/python bench/results.py

reference: setup  ## Write the generated parts of the documentation anew: options, answers, strategies, judges, metrics
	$(BIN)/python .ci/reference

floors: setup  ## Pin anew what every strategy, or only ONLY="dom tids", reaches on small fixed webs; the tests hold them to it
	$(BIN)/python bench/floors.py $(ONLY)

faults: setup browser  ## Measure every row of the fault matrix (ROWS="A7 B*" for some, AGAIN=1 for all of them anew)
	$(BIN)/python tests/faults/run.py $(if $(AGAIN),--again) $(ROWS)

audit: setup  ## Ask whether any pinned dependency has a known vulnerability
	test -x .venv/audit/bin/pip-audit || { $(PYTHON) -m venv .venv/audit && .venv/audit/bin/python -m pip install --quiet pip-audit; }
	.venv/audit/bin/pip-audit --requirement requirements.txt --no-deps --disable-pip

crash: setup  ## Kill -9 a crawl at fifty random moments and resume it
	$(BIN)/python bench/crash.py --kills 50

memory: setup  ## Memory of a crawl with five million URLs seen and one million queued
	$(BIN)/python bench/memory.py

lock: setup  ## Renew the pinned versions in requirements.txt
	$(PYTHON) -m venv .venv/fresh
	.venv/fresh/bin/python -m pip install --quiet --upgrade pip
	.venv/fresh/bin/python -m pip install --quiet '.[all]' --group dev
	.venv/fresh/bin/python -m pip freeze --all --exclude pip --exclude lycosa | sed '/^backports.zstd==/s/$$/; python_version < "3.14"/' > requirements.txt
	rm -rf .venv/fresh build

docs: setup .venv/docs/.ready  ## Build the documentation into build/site and check that its links, commands and examples are true
	rm -rf build/docs build/site
	.venv/docs/bin/sphinx-build --quiet --fail-on-warning --keep-going -d build/docs docs build/site
	SITE=build/site $(BIN)/python -m pytest tests/docs

.venv/docs/.ready: pyproject.toml | $(READY)
	$(PYTHON) -m venv .venv/docs
	.venv/docs/bin/python -m pip install --quiet --upgrade pip
	.venv/docs/bin/python -m pip install --quiet --group docs
	touch .venv/docs/.ready

clean:  ## Remove what make made
	rm -rf .venv demo .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.* build
