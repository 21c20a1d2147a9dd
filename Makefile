# The verbs of this repository; `make help` lists them. Each sets up what it needs in .venv, nothing global.
PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
INSTALLED := .venv/.installed

.PHONY: help book test coverage lint bench clean lock browser
.DEFAULT_GOAL := help

help: ## list these verbs
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "make %-8s %s\n", $$1, $$2 }'

book: $(INSTALLED) ## run what changed, build the website, print the page to open
	$(BIN)/propeval book

test: $(INSTALLED) ## the whole test suite: compiled, interpreted, notebooks, every parameter, website, browser
	$(PYTEST) -n 2 --dist loadgroup
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 -m "not (site or data or jit)"

coverage: $(INSTALLED) ## lines of each package that the tests run, compiled and interpreted; at least 90 %
	rm -f .coverage*
	$(PYTEST) -n 2 -m "not site" --cov --cov-report=
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 -m "not (site or data or jit)" --cov --cov-append --cov-report=
	$(PYTEST) -n 2 -m site --cov --cov-append --cov-report= tests/runner tests/cli
	$(BIN)/coverage json --quiet -o .coverage.json
	$(BIN)/python tests/floor.py .coverage.json

lint: $(INSTALLED) ## style of code and notebooks, types of the library
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(INSTALLED) ## speed of the kernels against other tools, as ratios in one run
	for script in tests/bench_*.py; do $(BIN)/python $$script || exit 1; done

clean: ## remove everything made here: environment, runs, website, caches
	rm -rf .venv runs book/_build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis .coverage*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

lock: $(INSTALLED) ## solve the versions again from pyproject.toml and write requirements.lock and environment.yml
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-annotate --no-header --quiet --output-file requirements.lock
	$(MAKE) environment.yml --always-make

environment.yml: requirements.lock # the same versions for conda users, without the hashes, which conda cannot read
	printf '%s\n' '# For conda users: the versions of requirements.lock, written by `make lock`. Then: pip install --no-deps -e .' \
		'name: propeval-lite' 'channels:' '  - conda-forge' 'dependencies:' '  - python=3.11' '  - make' '  - pip' '  - pip:' > $@
	sed -n 's/^\([^ ][^\]*[^\ ]\) *\\*$$/    - "\1"/p' requirements.lock >> $@

browser: ## install Debian's Chromium for the browser tests (needs root or sudo)
	@command -v chromium chromedriver >/dev/null || { \
		SUDO=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$SUDO apt-get update -qq && $$SUDO apt-get install -y -qq chromium chromium-driver; }

# uv is several times faster than pip; pip is there on every machine. Both refuse a file whose hash is not in the lock.
$(INSTALLED): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "propeval-lite needs Python 3.11 or newer; set PYTHON=…")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	sed -n '/^uv==/,/[^\]$$/p' requirements.lock | $(BIN)/python -m pip install --quiet -r /dev/stdin || true
	$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python -r requirements.lock \
		|| $(BIN)/python -m pip install --quiet --compile -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@
