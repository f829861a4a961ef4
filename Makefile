# Everything a newcomer needs: `make play`, `make test`. Each does its own set-up.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
HOST ?= 0.0.0.0
PORT ?= 8000
WORKERS ?= 4
VENV := .venv
BIN := $(VENV)/bin
# Not by the scripts beside it, which name the folder that they were made in: it may be moved.
BABEL := $(BIN)/python -m babel.messages.frontend
MESSAGES := config/locale/es/LC_MESSAGES/django
# A folder that an older Python left behind, or one without pip, is made anew. The modules are those
# that a Python lacks whose maker had not the libraries for them.
IS_NEW := import sys, ctypes, lzma, ssl, venv, zlib; sys.exit(sys.version_info < (3, 11))

# What is said before anything is set up: in the terminal's language, if there is a Python of any age.
SAYS := $(or $(PYTHON),$(BIN)/python) -B config/make_says.py
NO_PYTHON := Python 3.11 or newer is needed. Where it has another name: make play PYTHON=/path/to/python

# What other projects on this machine have told the shell is not meant for this one.
unexport DJANGO_SETTINGS_MODULE PYTHONPATH PYTHONHOME PYTHONUTF8 PYTHONCOERCECLOCALE

.DEFAULT_GOAL := help
# What a full disk cut short would look finished.
.DELETE_ON_ERROR:
.PHONY: help play test looks test-scaled caddy bench chaos keeping check messages icons lock clean browser fuzz

help:
	@$(SAYS) help 2>/dev/null || echo "$(NO_PYTHON)"

# Made anew as well where that Python is gone, or another by now: the system has been upgraded, or the
# folder comes from another machine.
ifneq ($(wildcard $(VENV)/.play),)
ifneq ($(shell env -u PYTHONHOME -u PYTHONPATH $(BIN)/python -c 'import pip' 2>/dev/null && echo stands),stands)
.PHONY: $(VENV)/.play
endif
endif

$(VENV)/.play: config/requirements.lock
	@$(BIN)/python -c 'import pip; $(IS_NEW)' 2>/dev/null || { \
	  $(or $(PYTHON),false) -c '$(IS_NEW)' || { \
	    $(SAYS) python 2>/dev/null || echo "$(NO_PYTHON)"; exit 1; }; \
	  $(PYTHON) -c 'import ensurepip' 2>/dev/null && $(PYTHON) -m venv --clear $(VENV) || { \
	    $(PYTHON) -m venv --clear --without-pip $(VENV) && $(BIN)/python config/get_pip.py; }; }
	@$(BIN)/python -B config/make_says.py fetching
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.test: config/requirements-dev.lock $(VENV)/.play
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Spanish stands for all: whichever language has changed, every one is compiled.
$(MESSAGES).mo: $(wildcard config/locale/*/LC_MESSAGES/django.po) $(VENV)/.play
	@$(BABEL) --quiet compile --domain django --directory config/locale

play: $(VENV)/.play $(MESSAGES).mo
	@exec $(BIN)/python manage.py play --host "$(HOST)" --port "$(PORT)"

browser: $(VENV)/.test
	@sh tests/browser.sh $(BIN)

# Twice as many workers as processors: half of them wait for browsers (tests/order.py). Python keeps
# what it has compiled, whatever the shell says: each of a hundred processes would do it again.
test: export PYTHONDONTWRITEBYTECODE =
test: browser $(MESSAGES).mo
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

# For whoever changes a template or a style sheet.
looks: export TAPROOM_SIZE = full
looks: browser $(MESSAGES).mo
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m looks tests/phones $(ARGS)

# The proxy of `deploy/`.
caddy:
	@command -v caddy >/dev/null 2>&1 \
	  || { [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq caddy >/dev/null; } \
	  || { echo "Install Caddy first (Debian's package caddy)"; exit 1; }

# Nothing is skipped: without PostgreSQL, Redis or Caddy it fails.
test-scaled: export TAPROOM_SCALED = 1
test-scaled: export TAPROOM_REQUIRE_SERVICES = 1
test-scaled: export TAPROOM_REQUIRE_CADDY = 1
test-scaled: export TAPROOM_DATABASE ?= postgres://postgres@127.0.0.1:5432/taproom_scaled
test-scaled: export TAPROOM_REDIS ?= redis://127.0.0.1:6379/0
test-scaled: browser caddy $(MESSAGES).mo
	@$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

bench: browser $(MESSAGES).mo
	@$(BIN)/python -m bench $(ARGS)

chaos: $(VENV)/.test $(MESSAGES).mo
	@$(BIN)/python -m tests.chaos $(ARGS)

# Backups under load, houses of every release, machines that break.
keeping: export TAPROOM_SIZE = full
keeping: export TAPROOM_REQUIRE_SERVICES = 1
keeping: $(VENV)/.test $(MESSAGES).mo
	@$(BIN)/python -m pytest tests/keeping $(ARGS)

# What people might send on purpose; ARGS=--quick, ARGS="--only S1,S8".
fuzz: browser $(MESSAGES).mo
	@$(BIN)/python -m tests.security.fuzz $(ARGS)

check: $(VENV)/.test $(MESSAGES).mo
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy games config characters campaigns bench
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check
	$(BIN)/python -m pytest tests/test_translations.py tests/test_layers.py

messages: $(VENV)/.test
	@mkdir -p var
	$(BABEL) extract --no-wrap --omit-header --mapping config/babel.cfg --output var/django.pot .
	$(BABEL) update --no-wrap --no-fuzzy-matching --ignore-obsolete --domain django --input-file var/django.pot --output-dir config/locale

icons: browser
	$(BIN)/python static/icons/draw.py

lock:
	$(BIN)/python -m pip install --quiet pip-tools
	cd config && ../$(BIN)/python -P -m piptools compile $(ARGS) --quiet --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements.lock requirements.in
	cd config && ../$(BIN)/python -P -m piptools compile $(ARGS) --quiet --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements-dev.lock requirements-dev.in

# Not all of var: that is where a house is kept, with its backups (docs/hosting.md).
clean:
	rm -rf $(VENV) var/django.pot var/cache var/static
