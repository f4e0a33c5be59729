# Two commands do all the set-up: `make demo` and `make test`. Both build .venv when it is not there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Where Python may not keep what it compiled, every one of the many processes of the tests would compile it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test slow bench-check explore neighbours lint types docs check bench lock postgres clean

demo: $(READY)
	@$(BIN)/shoal demo --output demo-output

# One process per core; `make test TESTS="tests/graphs -k degree"` runs some of them.
TESTS ?=
test: $(READY) postgres
	@$(BIN)/python -m pytest -n auto -m "not slow" --ignore=tests/benchmarks $(TESTS)

# Statistical and exhaustive suites, the attacks of tests/adversary and the fuzzers; CI runs them after the others.
slow: $(READY) postgres
	@$(BIN)/python -m pytest -n auto -m slow --ignore=tests/benchmarks

# Every benchmark runs on small data and says what it should; `make bench` measures.
bench-check: $(READY)
	@$(BIN)/python -m pytest -n auto tests/benchmarks

# The same tests with examples never seen before, as often as one likes: make explore ROUNDS=20
ROUNDS ?= 5
explore: $(READY)
	@for round in $$(seq $(ROUNDS)); do SHOAL_EXAMPLES=explore $(BIN)/python -m pytest -q -n auto -k "not adult" || exit 1; done

# Neighbouring databases asked the same until so many pairs are compared; a difference ends it with code 1.
PAIRS ?= 1000000
SEED ?= neighbours
neighbours: $(READY)
	@PYTHONPATH=tests $(BIN)/python -W ignore -m adversary.neighbours --pairs $(PAIRS) --seed $(SEED)

# The second engine is tested for real: Debian's server, started by the tests. Without it, and without the right
# to install it, those tests are skipped and say so.
postgres:
	@ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1 || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null \
		&& { apt-get install -qq -y postgresql > /dev/null 2>&1 \
		|| { apt-get update -qq && apt-get install -qq -y postgresql; } > /dev/null 2>&1; }; } || true

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/mypy

# The site in site/; `python3 -m http.server -d site` shows it, search included. A broken link, a page outside the
# navigation or anything fetched from elsewhere is an error (without --quiet, which would hide warnings from --strict).
docs: $(READY)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

check: lint types docs test

bench: $(READY)
	@$(BIN)/python -m benchmarks

# A lock without addresses: versions and hashes only. uv.lock itself must not be committed.
lock: $(READY)
	@$(BIN)/uv export --quiet --all-groups --all-extras --no-emit-project --no-header --format requirements-txt -o requirements.lock
	@rm -f uv.lock

$(READY): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$$(cat .uv-version)"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable ".[all]"
	@touch $@

clean:
	@rm -rf $(VENV) demo-output site .pytest_cache .mypy_cache .ruff_cache
