# Two commands matter: `make run` (see it work) and `make test` (check everything).
# Everything lives in .venv; a second call finds its stamps and starts at once.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
STAMPS := $(VENV)/stamps

# The first of these that is Python 3.11 or newer; PYTHON=... overrides.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
ifndef PYTHON
PYTHON := $(shell for p in $(CANDIDATES); do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
endif
CXX ?= g++
# Some images forbid compiled modules to be kept; each of the hundreds of programs that the tests start would compile all.
export PYTHONDONTWRITEBYTECODE :=

SOURCES := $(shell find src/sapper -name '*.py' -o -name '*.pyi' -o -name 'py.typed' -o -path 'src/sapper/web/*' -type f)
CORE := $(shell find core -type f) CMakeLists.txt
EXAMPLE := examples/intermediate.txt

.DEFAULT_GOAL := help
.PHONY: browser page-tools core-programs help run test lint limits format bench fuzz fuzz-python mutants coverage coverage-core wheel docs docs-serve clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(STAMPS)/package ## set up what running needs and analyse an example position
	@$(BIN)/sapper analyze $(EXAMPLE)

# The types keep one processor busy for a while; the programs of the core are compiled by the others.
test: $(STAMPS)/package $(STAMPS)/test page-tools browser ## set up and check everything: style, types, tests, examples
	@$(MAKE) --no-print-directory -j2 lint core-programs
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(STAMPS)/package $(STAMPS)/test page-tools ## style, types and which room may import which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	$(BIN)/python -m tests.support.rooms
	@if [ -x $(TSC) ]; then echo $(TSC) -p tests/web; $(TSC) -p tests/web; else echo "skipped: the types of the page (no TypeScript)"; fi

core-programs: $(STAMPS)/package
	@$(BIN)/python -m tests.support.core_programs

format: $(STAMPS)/test ## rewrite the Python files in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMPS)/package $(STAMPS)/bench ## compare with other programs (NAMES="expert growth" for some); writes docs/benchmarks.md
	$(BIN)/python -m benchmarks $(NAMES)

wheel: $(STAMPS)/package ## build the wheels and the source distribution in dist/ and try them on every Python here
	$(BIN)/python -m tests.support.wheels

docs: $(STAMPS)/package $(STAMPS)/docs ## build the site in site/ and check its links and that every promised name is in it
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python -m tests.support.site site
	@echo "site/index.html is ready"

docs-serve: $(STAMPS)/package $(STAMPS)/docs ## serve the site on 127.0.0.1 while writing
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

SANITIZERS := ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

fuzz: $(STAMPS)/fuzz $(STAMPS)/test ## search for faults until Ctrl-C: the core under ASan and UBSan, puzzles, limits, files, runs (ARGS="--seconds 60 --seed 1")
	@$(SANITIZERS) $(BIN)/python -m tests.fuzz $(ARGS)

fuzz-python: $(STAMPS)/fuzz-python ## the parts in Python with a sanitized core, slower
	@SAPPER_FUZZ_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	$(SANITIZERS) \
	PYTHONPATH="$(CURDIR)/$(SANITIZED)/site:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
	$(BIN)/python -S -m tests.fuzz --part puzzles --part "limits and interrupts" --part "damaged files" $(ARGS)

mutants: $(STAMPS)/package $(STAMPS)/test ## change the rooms that decide answers and see which tests notice (ARGS="--room clues"); goes on where it stopped
	$(BIN)/python -m tests.mutation $(ARGS)

coverage: $(STAMPS)/package $(STAMPS)/test ## which statements and branches of each room the tests reach (ARGS="--part clues -n 2"); goes on where it stopped
	$(BIN)/python -m tests.support.rooms_covered $(ARGS)

# The core's own programs, counted by gcov: every class with faults, all positions of small boards (every 97th), the fuzzer.
COVERED_CORE := build/core-coverage
coverage-core: $(STAMPS)/build ## which lines of each folder of the C++ core its own programs reach
	@$(NEED_COMPILER)
	PATH="$(CURDIR)/$(BIN):$$PATH" CXX="$(CXX)" cmake -S . -B $(COVERED_CORE) -G Ninja \
		-DSAPPER_PYTHON=OFF -DSAPPER_TESTS=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O1 --coverage" >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build $(COVERED_CORE) >/dev/null
	find $(COVERED_CORE) -name '*.gcda' -delete
	$(COVERED_CORE)/classes --seed 1 --cases 150 >/dev/null
	$(COVERED_CORE)/exhaustive --every 97 >/dev/null
	$(COVERED_CORE)/fuzz --seed 1 --seconds 60 --keep $(COVERED_CORE) >/dev/null
	$(BIN)/python -m tests.support.core_covered $(COVERED_CORE)

limits: $(STAMPS)/package $(STAMPS)/test ## every question × method × limit: fills docs/limits.md (some minutes; ARGS=--resume goes on)
	$(BIN)/python -m tests.matrix.run docs/limits.md $(ARGS)

clean: ## remove everything that was made
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

NEED_COMPILER = command -v $(CXX) >/dev/null || { echo "sapper needs a C++20 compiler; no $(CXX) found." \
		"On Debian and Ubuntu: apt install g++" >&2; exit 1; }

# --- set-up -------------------------------------------------------------------------------------

$(STAMPS)/venv:
	@test -n "$(PYTHON)" || { echo "sapper needs Python 3.11 or newer; none of these is: $(CANDIDATES)." \
		"Install one, or say which: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "sapper needs Python 3.11 or newer; $(PYTHON) is not: $$($(PYTHON) --version 2>&1)" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) has no venv module;" \
		"on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(NEED_COMPILER)
	@echo "making $(VENV) with $$($(PYTHON) --version)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS)
	@touch $@

# Build tools live in the environment, so that rebuilding neither downloads nor starts over.
$(STAMPS)/build: $(STAMPS)/venv
	@echo "installing the build tools"
	@$(PIP) install 'scikit-build-core>=0.10' 'nanobind>=2.4' 'cmake>=3.18' ninja
	@touch $@

# Editable: tests and coverage see the files of this clone, the compiled module comes from build/.
$(STAMPS)/package: $(STAMPS)/build pyproject.toml $(CORE) $(SOURCES)
	@$(NEED_COMPILER)
	@echo "building and installing sapper (a few minutes the first time)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" CXX="$(CXX)" $(PIP) install --no-build-isolation --editable .
	@touch $@

$(STAMPS)/test: $(STAMPS)/package pyproject.toml
	@echo "installing what the tests need"
	@$(PIP) install $(call extra,test) $(call extra,lint)
	@touch $@

# What the page is checked with: TypeScript for its types, axe-core for its accessibility, Chromium to run it. Where one
# cannot be had, its checks are skipped and say so.
PAGE_TOOLS := build/page-tools
TSC := $(PAGE_TOOLS)/node_modules/.bin/tsc
page-tools:
	@test -d $(PAGE_TOOLS)/node_modules/axe-core -a -x $(TSC) || { \
		mkdir -p $(PAGE_TOOLS); echo "installing what the page is checked with"; \
		npm install --prefix $(PAGE_TOOLS) --silent --no-audit --no-fund --fetch-retries 1 --fetch-timeout 30000 \
			'typescript@>=5.5' 'axe-core@4' >/dev/null 2>&1; } || \
		echo "npm cannot install TypeScript and axe-core: the types of the page and its accessibility are not checked"

browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "installing Chromium to try the page" && \
		{ apt-get install -y -qq chromium >/dev/null 2>&1 || { apt-get update -qq >/dev/null 2>&1 && \
		apt-get install -y -qq chromium >/dev/null 2>&1; }; }; } || \
		echo "no Chromium on this machine, and it cannot be installed: the page is not tried in a browser"

$(STAMPS)/bench: $(STAMPS)/test pyproject.toml
	@echo "installing the programs to compare with"
	@$(PIP) install $(call extra,bench)
	@touch $@

$(STAMPS)/docs: $(STAMPS)/package pyproject.toml
	@echo "installing what the site needs"
	@$(PIP) install $(call extra,docs)
	@touch $@

# The core alone, with its fuzzer, sanitized; tests/support/core_programs.py builds it the same way.
SANITIZED_CORE := build/core-sanitized
$(STAMPS)/fuzz: $(STAMPS)/build $(CORE)
	@$(NEED_COMPILER)
	@echo "building the fuzzer"
	@PATH="$(CURDIR)/$(BIN):$$PATH" CXX="$(CXX)" cmake -S . -B $(SANITIZED_CORE) -G Ninja \
		-DSAPPER_PYTHON=OFF -DSAPPER_TESTS=ON -DSAPPER_SANITIZE=ON \
		-DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-Og -g1 -D_GLIBCXX_ASSERTIONS" >/dev/null
	@PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build $(SANITIZED_CORE) --target fuzz >/dev/null
	@touch $@

# A second copy of the package with the sanitizers built in. It is put before the first by PYTHONPATH, and
# python -S keeps the editable install from stepping in front.
SANITIZED := build/sanitized
$(STAMPS)/fuzz-python: $(STAMPS)/package $(STAMPS)/test $(CORE) $(SOURCES)
	@echo "building sapper with sanitizers"
	@rm -rf $(SANITIZED)/site
	@PATH="$(CURDIR)/$(BIN):$$PATH" CXX="$(CXX)" $(PIP) install --no-build-isolation --no-deps --target $(SANITIZED)/site \
		-C build-dir=$(SANITIZED)/cmake -C cmake.define.SAPPER_SANITIZE=ON -C cmake.build-type=RelWithDebInfo .
	@touch $@

# The requirements of one extra, read from pyproject.toml: installing them does not rebuild sapper.
extra = $$($(BIN)/python -c 'import tomllib; extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; print(*(r for r in extras["$(1)"]))')
