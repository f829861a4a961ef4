# Everything a newcomer needs: `make play`, `make test`. Each does its own set-up.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
HOST ?= 0.0.0.0
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
MESSAGES := config/locale/es/LC_MESSAGES/django

.DEFAULT_GOAL := help
.PHONY: help play test check messages icons lock clean browser

help:
	@echo "make play [HOST=0.0.0.0] [PORT=8000]   serve, and show the address and a QR code"
	@echo "make test                              every test"
	@echo "make check                             style, types, migrations, translations"
	@echo "make messages                          gather texts to translate"
	@echo "make icons                             draw the icons again from the SVG"
	@echo "make lock                              resolve the locked dependencies again"

$(VENV)/.play: config/requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 is needed"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(VENV)/.test: config/requirements-dev.lock $(VENV)/.play
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(MESSAGES).mo: $(MESSAGES).po $(VENV)/.play
	@$(BIN)/pybabel --quiet compile --domain django --directory config/locale

play: $(VENV)/.play $(MESSAGES).mo
	@exec $(BIN)/python manage.py play --host $(HOST) --port $(PORT)

# A browser is needed by the phone tests: the system's Chromium, or Playwright's own.
browser: $(VENV)/.test
	@command -v chromium chromium-browser google-chrome >/dev/null 2>&1 \
	  || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } \
	  || { command -v sudo >/dev/null && command -v apt-get >/dev/null && sudo apt-get update -qq && sudo apt-get install -y -qq chromium >/dev/null; } \
	  || $(BIN)/playwright install chromium

test: browser $(MESSAGES).mo
	@$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

check: $(VENV)/.test $(MESSAGES).mo
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy games/rules
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check
	$(BIN)/python -m pytest tests/test_translations.py tests/test_layers.py

messages: $(VENV)/.test
	$(BIN)/pybabel extract --no-wrap --omit-header --mapping config/babel.cfg --output var/django.pot .
	$(BIN)/pybabel update --no-wrap --no-fuzzy-matching --ignore-obsolete --domain django --input-file var/django.pot --output-dir config/locale

icons: $(VENV)/.test
	$(BIN)/python static/icons/draw.py

lock:
	$(BIN)/python -m pip install --quiet pip-tools
	cd config && ../$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements.lock requirements.in
	cd config && ../$(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --output-file requirements-dev.lock requirements-dev.in

clean:
	rm -rf $(VENV) var
