# make demo   sets everything up and runs the main job
# make test   sets everything up and passes the tests
# make quick  passes about half of them in under three minutes, once their code is compiled
# make speed  compares a dozen headline ratios with the record, benchmarks/speed.json, in under three minutes
# make bench  measures speed and memory beside other people's learners
# make wheel  builds dist/*.whl with machine code for all that Python calls, in some minutes
# make stubs  writes what type checkers and editors read, after a change to a method or the catalogue of kernels
# make fuzz   hands strange data to every door, for SECONDS each, with bounds checks in compiled code

PYTHON ?= python3
BIN := .venv/bin
SECONDS ?= 60
# Machine code that is compiled on the way is kept here, by the content of the engine.
export KERNELTRON_CACHE_DIR := $(CURDIR)/.cache/code
ENGINE := $(shell find src/kerneltron/engine src/kerneltron/_types.py -name '*.py')
CODE := src/kerneltron/engine/machine/shipped_code

.PHONY: demo test quick lint speed bench stubs wheel fuzz clean

demo: .venv/demo .cache/common
	$(BIN)/kerneltron reproduce digits two-workers -o demo

test: .venv/test .cache/all lint
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

# Left out: types and layers; real data; combinations of parameters whose values other runs of the same test have
# (tests/conftest.py); scikit-learn's checks of all learners but one; and what is marked slow: processes and pipes, fuzzing,
# damaged files, experiments, known truths, threads, code from outside, the same in two ways.
quick: .venv/test .cache/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not real_data"

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

speed: .venv/peers .cache/common
	$(BIN)/python -m benchmarks.speed

bench: .venv/peers .cache/common
	$(BIN)/python -m benchmarks --json .cache/bench.json

stubs: .venv/test
	$(BIN)/python -m tools.stubs

# With bounds checks, numba compiles and keeps everything itself, by one version of the engine.
fuzz: export NUMBA_BOUNDSCHECK := 1
fuzz: export NUMBA_CACHE_DIR = $(CURDIR)/.cache/numba/checked-$(shell cat $(ENGINE) | git hash-object --stdin)
fuzz: .venv/test
	$(BIN)/python -m tests.fuzzing --seconds $(SECONDS) $(DOORS)

wheel: .venv/test .cache/all
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# Machine code, compiled in two processes: what most people use first, in a minute (the rest when it is first used), or all
# that is listed, in three.
.cache/common: $(ENGINE) src/kerneltron/engine/machine/listed.txt tools/machine_code.py
	$(BIN)/python -m tools.machine_code
	mkdir -p .cache && touch $@

.cache/all: $(ENGINE) src/kerneltron/engine/machine/listed.txt tools/machine_code.py
	$(BIN)/python -m tools.machine_code --all
	mkdir -p .cache && touch $@ .cache/common

# One stamp per extra: .venv/test means that the extra `test` is installed.
.venv/%: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$*]"
	touch $@

clean:
	rm -rf .venv .cache $(CODE) dist demo reproduced report.html
