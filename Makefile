# make demo   sets everything up and runs the main job
# make test   sets everything up and passes the tests
# make quick  passes most of them in under 90 seconds, once their code is compiled
# make soak   passes what takes long: all combinations, whole experiments, killed workers, wheels
# make mutants  puts small errors into the code, and counts how many of them the tests find
# make speed  compares a dozen headline ratios with the record, benchmarks/speed.json, in under three minutes
# make bench  measures speed and memory beside other people's learners
# make wheel  builds dist/*.whl with machine code for all that Python calls, in some minutes
# make stubs  writes what type checkers and editors read, after a change to a method or the catalogue of kernels
# make fuzz   hands strange data to every door, for SECONDS each, with bounds checks in compiled code

PYTHON ?= python3
BIN := .venv/bin
SECONDS ?= 60
NUMBER ?= 200
SEED ?= 0
# Machine code that is compiled on the way is kept here, by the content of the engine.
export KERNELTRON_CACHE_DIR := $(CURDIR)/.cache/code
# Python may keep its own code as well, whatever else a machine's settings say: tests start many processes.
unexport PYTHONDONTWRITEBYTECODE
ENGINE := $(shell find src/kerneltron/engine src/kerneltron/_types.py -name '*.py')
CODE := src/kerneltron/engine/machine/shipped_code

.PHONY: demo test quick soak mutants lint speed bench stubs wheel fuzz clean

demo: .venv/demo .cache/common
	$(BIN)/kerneltron reproduce digits two-workers -o demo

test: .venv/test .cache/all lint
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

# Left out: types and layers, real data, and what is marked slow: processes and pipes, experiments, clusters, known truths.
quick: .venv/test .cache/all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not slow and not soak and not real_data"

soak: .venv/test .cache/all
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m soak

# The same errors before and after a change to the tests: SEED and NUMBER choose them.
mutants: .venv/test .cache/all
	$(BIN)/python -m tools.mutants --record
	$(BIN)/python -m tools.mutants --number $(NUMBER) --seed $(SEED)

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
