# Two commands do all the set-up: `make demo` and `make test`. Both build .venv when it is not there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO_READY := $(VENV)/.demo-ready

# Where Python may not keep what it compiled, every one of the many processes of the tests would compile it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test slow bench-check explore neighbours lint types docs check bench lock postgres chromium axe java clean

# What the demo needs, unless everything is there already.
demo: $(if $(wildcard $(READY)),$(READY),$(DEMO_READY))
	@$(BIN)/shoal demo --output demo-output

# One process per core; `make test TESTS="tests/graphs -k degree"` runs some of them.
TESTS ?=
test: $(READY) postgres chromium axe java
	@$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow" --ignore=tests/benchmarks $(TESTS)

# Statistical and exhaustive suites, the attacks of tests/adversary and the fuzzers; CI runs them after the others.
slow: $(READY) postgres chromium axe java
	@$(BIN)/python -m pytest -n auto --dist loadgroup -m slow --ignore=tests/benchmarks

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

# What tests start for real: Debian's PostgreSQL, its Chromium, a Java for Spark. Where one is missing and may not be
# installed, the tests that want it are skipped and say so.
DEBIAN = test "$$(id -u)" = 0 && command -v apt-get > /dev/null && { apt-get install -qq -y --no-install-recommends $(1) \
	|| { apt-get update -qq && apt-get install -qq -y --no-install-recommends $(1); }; } > /dev/null 2>&1 || true
postgres:
	@ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1 || { $(call DEBIAN,postgresql); }

chromium:
	@command -v chromium > /dev/null || { $(call DEBIAN,chromium fonts-dejavu-core); }

# The accessibility checker of the browser tests, no part of the product.
axe:
	@test -f .axe/node_modules/axe-core/axe.min.js || { command -v npm > /dev/null && mkdir -p .axe \
		&& npm install --silent --no-save --no-audit --no-fund --prefix .axe axe-core@4 > /dev/null 2>&1; } || true

java:
	@command -v java > /dev/null || { $(call DEBIAN,default-jre-headless); }

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
# The demo's is a part of it, so that nobody waits for Spark and browsers to see what Shoal does.
EXPORT := $(BIN)/uv export --quiet --no-emit-project --no-header --format requirements-txt
lock: $(READY)
	@$(EXPORT) --all-groups --all-extras -o requirements.lock
	@$(EXPORT) --no-default-groups --group build --extra demo -o requirements-demo.lock
	@rm -f uv.lock

$(READY): requirements.lock
$(DEMO_READY): requirements-demo.lock
$(READY) $(DEMO_READY): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$$(cat .uv-version)"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r $(filter %.lock,$^)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable ".[all]"
	@touch $@

clean:
	@rm -rf $(VENV) demo-output site .pytest_cache .mypy_cache .ruff_cache
