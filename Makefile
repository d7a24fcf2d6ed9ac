# The front door. Every target installs what it needs and is missing (scripts/setup.sh), so that on a fresh
# Debian 12 `make quickstart` or `make test` is the only command. The build itself is CMake's; see
# HACKING.md for its presets.
.DEFAULT_GOAL := help
.PHONY: help quickstart build python wheel test looks sanitize fuzz-long exhaust format lint bench install clean

PREFIX ?= /usr/local
DESTDIR ?=
SECONDS ?= 600
SOURCES = $(shell find discern cli tests fuzz bench python -name '*.cpp' -o -name '*.hpp')

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

quickstart: build ## build the tool, train on bundled data and show the result
	@scripts/quickstart.sh build/release/cli/discern

# The presets configure the tests as well, so even a build without them needs their libraries.
build: ## build the command-line tool (release)
	@scripts/setup.sh build test
	@scripts/build.sh release discern_cli

python: ## build the Python package: build/release/python, for PYTHONPATH (pip install . works, too)
	@scripts/setup.sh build test python
	@scripts/python.sh build

wheel: ## make a wheel in dist/ with cores for AVX2 and for every x86-64, and test it in a fresh environment
	@scripts/setup.sh build test python
	@scripts/python.sh wheel

test: ## everything that must hold before a commit; about 25 minutes on 2 cores from scratch
	@scripts/test.sh

looks: build ## look at every report in Chromium, light and dark, wide and narrow; about 5 minutes
	@scripts/setup.sh web
	@scripts/web.sh looks build/release/cli/discern

sanitize: ## the tests of library and tool under the address, undefined-behaviour and thread sanitizers
	@scripts/sanitize.sh

fuzz-long: ## fuzz each target for SECONDS (600), from the corpus of the repository and what earlier runs found
	@scripts/setup.sh build test fuzz
	@scripts/fuzz.sh $(SECONDS) $(TARGETS)

exhaust: ## make every single allocation of the main commands fail in turn; takes an hour
	@scripts/setup.sh build test
	@scripts/build.sh release discern_cli_tests
	@DISCERN_EXHAUST=1 build/release/tests/cli/discern_cli_tests --gtest_filter='*Memory.*'

format: ## format the sources in place
	@scripts/setup.sh lint
	@clang-format-14 -i $(SOURCES)

lint: ## formatting, static analysis, scripts and layers, without changing anything
	@scripts/lint.sh

bench: ## measure reading and fitting side by side with other libraries (DATA=DIR: real data, too)
	@scripts/setup.sh build bench
	@python3 bench/read.py
	@python3 bench/fit.py --write $(if $(DATA),--data "$(DATA)")

install: ## install the tool and the library under PREFIX (and DESTDIR)
	@scripts/setup.sh build test
	@scripts/build.sh release discern discern_cli discern_extras
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

clean: ## remove everything that was built
	rm -rf build
