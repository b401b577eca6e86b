# make test: makes a virtual environment where there is none, then runs the checks and the tests.
PYTHON ?= python3
VENV ?= .venv
NEWEST ?= .venv-newest
BIN := $(VENV)/bin
# Written once the development installation stands; an edited pyproject.toml renews it.
INSTALLED := $(VENV)/.installed-for-tests

FUZZ_SECONDS ?= 60

.PHONY: check test quick newest faults fuzz format bench pictures docs docs-links

$(INSTALLED): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

check: $(INSTALLED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

test: check
	$(BIN)/python -m pytest -n 2

# The lane to run while working: no checks, and no test that is marked slow.
quick: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow and not faults_long"

# All that needs no gpflow, with the newest NumPy, in an environment of its own.
newest:
	test -x $(NEWEST)/bin/python || $(PYTHON) -m venv $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[test-without-gpflow]' 'numpy>=2'
	$(NEWEST)/bin/python -m pytest -n 2 --dist worksteal

# Kills, full disks, races and bad files, more of them than 'make test' has time for; prints how many, and what was lost.
faults: $(INSTALLED)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "faults_long or not faults_long" tests/faults tests/golden tests/properties

# Any bytes into the three readers; a finding is left in build/fuzz as crash-..., oom-... or timeout-....
fuzz: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris
	mkdir -p build/fuzz
	for reader in problem evaluations state; do \
	  PYTHONPATH=. $(BIN)/python tests/fuzz/fuzz_readers.py $$reader build/fuzz/$$reader -max_total_time=$(FUZZ_SECONDS) \
	    -timeout=5 -rss_limit_mb=1024 -max_len=4096 -artifact_prefix=build/fuzz/ || exit 1; done

format: $(INSTALLED)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The pictures of docs/, light and dark, by what stands beside them; but for the benchmark's and the README's.
pictures: export PYTHONPATH := $(CURDIR)
pictures: export PATH := $(CURDIR)/$(BIN):$(PATH)
pictures: $(INSTALLED)
	mkdir -p build && rm -rf build/tour
	sh examples/pipe/run.sh 40 0 build/tour
	ordbo plot build/tour/pipe.yaml fit -o docs/pictures/pipe.svg
	ordbo plot build/tour/pipe.yaml fit -o docs/pictures/pipe-dark.svg --theme dark
	grep '^ordbo plot' docs/pictures.md | sh -e
	grep '^ordbo plot' docs/pictures.md | sed 's/\.svg$$/-dark.svg --theme dark/' | sh -e
	$(BIN)/python docs/method_pictures.py

# The documentation site, build/docs/index.html; any warning is an error, a link that leads nowhere among them.
SPHINX = $(BIN)/python -m sphinx --fail-on-warning --keep-going --nitpicky --quiet -c docs
SITE ?= build/docs
docs: $(INSTALLED)
	$(SPHINX) -b html . $(SITE)

# The same of links to other sites; it needs the network.
docs-links: $(INSTALLED)
	$(SPHINX) -b linkcheck . build/docs-links

# Speed, then regret. Optuna's samplers take part where they are: $(BIN)/pip install -e '.[peers]' greenlet
bench: export PYTHONPATH := $(CURDIR)
bench: $(INSTALLED)
	$(BIN)/python tests/bench/machine.py
	$(BIN)/python tests/bench/startup.py
	$(BIN)/python tests/bench/rivals.py
	$(BIN)/python tests/bench/hot_spots.py
	$(BIN)/python tests/bench/limits.py
	$(BIN)/python tests/bench/threads.py
	$(BIN)/python tests/bench/step.py
	$(BIN)/python tests/bench/driving.py
	$(BIN)/python tests/bench/report.py
	mkdir -p build && rm -f build/bench*.jsonl
	$(BIN)/ordbo benchmark --methods default,metric-free,paper,vanilla,random --seeds 0:3 --output build/bench.jsonl
